import { atKeys, type DraftPipe, type DraftSymbol, freshKey } from '../diagram-draft.ts';
import { type DrawingContent, nextId, withMoved } from './symbol-edits.ts';

/** Symbols that were copied, and the pipes between them. */
export interface Clip {
	readonly symbols: readonly DraftSymbol[];
	readonly pipes: readonly DraftPipe[];
}

/** How far pasted symbols are moved from the copied ones, to the right and down. */
export const pasteOffset = 0.03;

/** Copies symbols, with every pipe whose ends are both at copied symbols. */
export function clipOf({ symbols, pipes }: DrawingContent, ids: readonly number[]): Clip {
	const chosen = new Set(ids);
	const copied = symbols.filter(({ id }) => chosen.has(id));
	const keys = new Set(copied.flatMap(({ key }) => key ?? []));
	return { symbols: copied, pipes: pipes.filter(({ from, to }) => keys.has(from[0]) && keys.has(to[0])) };
}

/**
 * Pastes copied symbols and pipes with new keys, moved by `offset` to the right and down. Returns the drawing, and the ids of the pasted
 * symbols.
 */
export function withClip<Draft extends DrawingContent>(
	drawing: Draft,
	clip: Clip,
	offset: number,
): { readonly drawing: Draft; readonly ids: readonly number[] } {
	const usedKeys = new Set(drawing.symbols.flatMap(({ key }) => key ?? []));
	/** The new keys by the copied ones. A copied key that the drawing does not have is kept. */
	const newKeys = new Map<string, string>();
	const firstId = nextId(drawing);
	const symbols = clip.symbols.map((symbol, index) => {
		const id = firstId + index;
		if (symbol.key === null) return { ...symbol, id };
		const key = usedKeys.has(symbol.key) ? freshKey(symbol.kind, usedKeys) : symbol.key;
		usedKeys.add(key);
		newKeys.set(symbol.key, key);
		return { ...symbol, id, key };
	});
	const pipes = clip.pipes.map((pipe, index) => ({ ...atKeys(pipe, newKeys), id: firstId + symbols.length + index }));
	const ids = symbols.map(({ id }) => id);
	const added = { ...drawing, symbols: [...drawing.symbols, ...symbols], pipes: [...drawing.pipes, ...pipes] };
	return { drawing: withMoved(added, ids, [offset, offset]), ids };
}
