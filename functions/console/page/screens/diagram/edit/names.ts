import type { Variable } from '#page/core/definitions.ts';
import { formatNumber } from '#page/format/number.ts';
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
	variables: ReadonlyMap<number, Variable>,
): string {
	const name = nameOf(symbol, variables).trim();
	if (name !== '') return name;
	const nameless = symbols.filter(({ kind, label, varId }) => kind === symbol.kind && varId === null && label.trim() === '');
	return `${diagramText().kinds[symbol.kind]} ${nameless.findIndex(({ id }) => id === symbol.id) + 1}`;
}

/** Returns the words of a pipe's end: `Treated tank, right`. For a join, the side is left out. */
export function endName(end: PipeEnd, draft: DiagramDraft, variables: ReadonlyMap<number, Variable>): string {
	const symbol = symbolAt(draft, end);
	if (symbol === null) return editText().missing;
	const name = symbolName(symbol, draft, variables);
	return symbol.kind === 'join' ? name : `${name}, ${diagramText().sides[end[1]]}`;
}

/** Returns the words of a pipe: `Treated tank, right → Pump 1, in`. */
export function pipeName({ from, to }: DraftPipe, draft: DiagramDraft, variables: ReadonlyMap<number, Variable>): string {
	return `${endName(from, draft, variables)} → ${endName(to, draft, variables)}`;
}

/** Writes a place or a size, which is a share of the drawing, with the decimals of the grid. */
export function placeText(share: number): string {
	return formatNumber(share, { decimals: 2 });
}
