import type { DraftSymbol } from '../diagram-draft.ts';
import type { Point } from '../symbols/symbol-geometry.ts';

/** How far a new symbol is from the others: to the side, or up and down. Shares of width and height. */
const distance = { x: 0.15, y: 0.08 } as const;

/**
 * Returns a place where nothing is drawn yet; the middle if there is none. The columns are tried from the middle to the sides, each from the
 * middle downwards and then from the top. Frames and pipes do not count as drawn.
 */
export function freePlace(symbols: readonly DraftSymbol[]): Point {
	const columns = [0.5, 0.3, 0.7, 0.1, 0.9];
	const rows = [0.5, 0.6, 0.7, 0.8, 0.9, 0.1, 0.2, 0.3, 0.4];
	const drawn = symbols.filter(({ kind }) => kind !== 'frame');
	const isFree = ([x, y]: Point): boolean =>
		drawn.every((symbol) => Math.abs(symbol.x - x) >= distance.x || Math.abs(symbol.y - y) >= distance.y);
	return columns.flatMap((x) => rows.map((y): Point => [x, y])).find(isFree) ?? [0.5, 0.5];
}
