import type { Variable } from '#page/core/definitions.ts';
import type { DiagramDraft, DraftPipe, DraftSymbol } from '../diagram-draft.ts';
import type { PipeEnd } from '../symbols/pipe-geometry.ts';
import { nameOf } from '../symbols/scene.tsx';
import { diagramText } from '../texts.ts';
import { symbolAt } from './pipe-edits.ts';
import { editText } from './texts.ts';

/** Returns the name of a symbol: its label or the name of its variable. Without both, its kind with a number: `Join 2`. */
export function symbolName(
	symbol: DraftSymbol,
	{ symbols }: Pick<DiagramDraft, 'symbols'>,
	known: ReadonlyMap<number, Variable>,
): string {
	const name = nameOf(symbol, known).trim();
	if (name !== '') return name;
	const alike = symbols.filter(({ kind, label, varId }) => kind === symbol.kind && varId === null && label.trim() === '');
	return `${diagramText().kinds[symbol.kind]} ${alike.findIndex(({ id }) => id === symbol.id) + 1}`;
}

/** Returns the words of a pipe's end: `Treated tank, right`. For a join, the side is left out. */
export function endName(end: PipeEnd, draft: DiagramDraft, known: ReadonlyMap<number, Variable>): string {
	const symbol = symbolAt(draft, end);
	if (symbol === null) return editText().missing;
	const name = symbolName(symbol, draft, known);
	return symbol.kind === 'join' ? name : `${name}, ${diagramText().sides[end[1]]}`;
}

/** Returns the words of a pipe: `Treated tank, right → Pump 1, in`. */
export function pipeName({ from, to }: DraftPipe, draft: DiagramDraft, known: ReadonlyMap<number, Variable>): string {
	return `${endName(from, draft, known)} → ${endName(to, draft, known)}`;
}
