import type { DraftPipe, DraftSymbol } from '../diagram-draft.ts';
import type { PipeEnd } from '../symbols/pipe-geometry.ts';
import { type Drawing, moved, nextId } from './drawing-edits.ts';
import { freshKey } from './pipe-edits.ts';

/** Symbols that were copied, and the pipes between them. */
export interface Copied {
	readonly symbols: readonly DraftSymbol[];
	readonly pipes: readonly DraftPipe[];
}

/** How far pasted symbols are moved from the copied ones, to the right and down. */
export const pasteOffset = 0.03;

/** Copies symbols, with every pipe whose ends are both at copied symbols. */
export function copiedOf({ symbols, pipes }: Drawing, ids: readonly number[]): Copied {
	const chosen = new Set(ids);
	const copied = symbols.filter(({ id }) => chosen.has(id));
	const keys = new Set(copied.flatMap(({ key }) => key ?? []));
	return { symbols: copied, pipes: pipes.filter(({ from, to }) => keys.has(from[0]) && keys.has(to[0])) };
}

/** Pastes copied symbols and pipes with new keys. Returns the drawing, and the ids of what was pasted. */
export function pasted<Drawn extends Drawing>(
	drawing: Drawn,
	copied: Copied,
	offset: number,
): { readonly drawing: Drawn; readonly ids: readonly number[] } {
	const used = new Set(drawing.symbols.flatMap(({ key }) => key ?? []));
	const keys = new Map<string, string>();
	const first = nextId(drawing);
	const symbols = copied.symbols.map((symbol, index) => {
		if (symbol.key === null) return { ...symbol, id: first + index };
		const key = used.has(symbol.key) ? freshKey(symbol.kind, used) : symbol.key;
		used.add(key);
		keys.set(symbol.key, key);
		return { ...symbol, id: first + index, key };
	});
	const renamed = ([key, ...rest]: PipeEnd): PipeEnd => [keys.get(key) ?? key, ...rest];
	const pipes = copied.pipes.map((pipe, index) => ({
		...pipe,
		id: first + symbols.length + index,
		from: renamed(pipe.from),
		to: renamed(pipe.to),
	}));
	const ids = symbols.map(({ id }) => id);
	const added = { ...drawing, symbols: [...drawing.symbols, ...symbols], pipes: [...drawing.pipes, ...pipes] };
	return { drawing: moved(added, ids, [offset, offset]), ids };
}
