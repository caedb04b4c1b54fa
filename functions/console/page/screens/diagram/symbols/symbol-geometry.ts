import type { Side, SymbolKind } from '#domain/board/symbol-kinds.ts';

/** The angle by which a symbol is turned clockwise, in degrees. */
export type Turn = 0 | 90 | 180 | 270;

/** The side of a symbol at which its words are. */
export type WordsSide = 'above' | 'below' | 'left' | 'right';

/** A place on the drawing, as shares of its width and of its height, from the top left. */
export type Point = readonly [x: number, y: number];

/** Returns the place of an answer of the service, whose typed client describes pairs as lists; null where it is not complete. */
export function pointOf(pair: readonly number[] | null | undefined): Point | null {
	const [x, y] = pair ?? [];
	return x === undefined || y === undefined ? null : [x, y];
}

/** A symbol at its place. `x` and `y` are its centre; sizes are shares of the drawing's width and height. */
export interface PlacedSymbol {
	readonly kind: SymbolKind;
	readonly x: number;
	readonly y: number;
	readonly w?: number | undefined;
	/** Missing for pumps, valves and networks, whose height follows from `w`. */
	readonly h?: number | undefined;
	readonly turn?: Turn | undefined;
}

/** A rectangle on the drawing, in shares of its width and height. */
export interface SymbolBox {
	readonly left: number;
	readonly top: number;
	readonly width: number;
	readonly height: number;
}

/** The data of a kind from which the place of its shape is calculated. */
interface KindGeometry {
	/** The size of a symbol without a stored one. A height of null means that it is as high as it is wide. */
	readonly size: readonly [width: number, height: number | null];
	/** The centre of the shape's box, from the symbol's own centre, in widths of the box. It turns with the symbol. */
	readonly offset?: Point;
	/** The places of `in` and `out`, as shares of the box. They turn with the symbol. */
	readonly in?: Point;
	readonly out?: Point;
	/** The distance of the shape from each edge of its box, in shares of the box. */
	readonly insets?: Partial<Readonly<Record<Side, number>>>;
}

/** The ratio, width divided by height, of a diagram without a stored ratio. All diagrams of earlier releases had this one. */
export const formerRatio = 13 / 9;

/** The ratio of a new diagram: it fills a window of 1440 by 900. */
export const newRatio = 1.6;

/**
 * The geometry of each kind. The ports of pumps and valves are at the openings of the symbols in `sprite.svg`, whose grid is 48 by 48, so
 * they are written in 48ths, and the insets of a network in 24ths. A value, a text and a join have no size of their own, so all of their
 * ports are at their centre.
 */
export const kindGeometry: Readonly<Record<SymbolKind, KindGeometry>> = {
	value: { size: [0, 0] },
	tank: { size: [0.12, 0.25] },
	pump: { size: [0.042, null], in: [5 / 48, 26 / 48], out: [45 / 48, 15 / 48] },
	// The place of a valve is on the axis of its pipe, which is below the middle of the symbol.
	valve: { size: [0.034, null], offset: [0, -5 / 48], in: [0, 29 / 48], out: [1, 29 / 48] },
	filter: { size: [0.085, 0.28] },
	// A pipe from above ends at the surface of the water.
	source: { size: [0.18, 0.065], insets: { top: 0.25 } },
	network: { size: [0.05, null], insets: { top: 5 / 24, bottom: 4 / 24, left: 2.5 / 24, right: 2.5 / 24 } },
	text: { size: [0, 0] },
	frame: { size: [0.2, 0.5] },
	join: { size: [0, 0] },
};

/**
 * Returns the box around a symbol's shape. For a value and a text, whose words decide their size, and for a join, the box is a point.
 * @param ratio the width of the drawing divided by its height
 */
export function boxOf(symbol: PlacedSymbol, ratio: number): SymbolBox {
	const { size, offset = [0, 0] } = kindGeometry[symbol.kind];
	const [usualWidth, usualHeight] = size;
	const width = storedSize(symbol.w, usualWidth);
	// Shares of the height are larger by the ratio, so this is as high as it is wide.
	const height = usualHeight === null ? width * ratio : storedSize(symbol.h, usualHeight);
	const [dx, dy] = turned(offset, symbol.turn ?? 0);
	return {
		left: symbol.x + dx * width - width / 2,
		top: symbol.y + dy * width * ratio - height / 2,
		width,
		height,
	};
}

/** Returns the stored size of a symbol, or that of its kind. A kind without a size has none, whatever is stored. */
function storedSize(stored: number | undefined, usual: number): number {
	return usual === 0 ? 0 : (stored ?? usual);
}

/** Returns the place of a port, which is a side at which a pipe can end. `at` is the place along the side, from 0 at its left or upper end to 1. */
export function portOf(symbol: PlacedSymbol, side: Side, at: number, ratio: number): Point {
	const { left, top, width, height } = boxOf(symbol, ratio);
	const geometry = kindGeometry[symbol.kind];
	const opening = side === 'in' || side === 'out' ? geometry[side] : undefined;
	if (opening !== undefined) {
		// The opening turns about the centre of the box.
		const [dx, dy] = turned([opening[0] - 0.5, opening[1] - 0.5], symbol.turn ?? 0);
		return [left + (0.5 + dx) * width, top + (0.5 + dy) * height];
	}
	const inset = geometry.insets?.[side] ?? 0;
	// For a symbol without openings, `in` is at the left and `out` at the right.
	switch (side) {
		case 'left':
		case 'in':
			return [left + inset * width, top + at * height];
		case 'right':
		case 'out':
			return [left + (1 - inset) * width, top + at * height];
		case 'top':
			return [left + at * width, top + inset * height];
		case 'bottom':
			return [left + at * width, top + (1 - inset) * height];
	}
}

/** Returns the direction in which a pipe leaves a port: level, or straight up or down. */
export function portAxis({ kind, turn = 0 }: Pick<PlacedSymbol, 'kind' | 'turn'>, side: Side): 'level' | 'upright' {
	if (side === 'top' || side === 'bottom') return 'upright';
	if (side === 'left' || side === 'right' || kindGeometry[kind][side] === undefined) return 'level';
	return turn === 90 || turn === 270 ? 'upright' : 'level';
}

/**
 * Returns the side of a symbol's words.
 * @param words the stored side. By default, the words are above a tank and a filter, to the right of an upright pump or valve, and below
 * everything else
 */
export function wordsOf({ kind, turn = 0 }: PlacedSymbol, words: WordsSide | undefined): WordsSide {
	if (words !== undefined) return words;
	if (kind === 'tank' || kind === 'filter') return 'above';
	return turn === 90 || turn === 270 ? 'right' : 'below';
}

/**
 * Returns the translation (CSS) of a value or text whose corner is at its place: it is centred there, or moved inwards by as much of it as
 * would be outside of the drawing. So no digit is cut off, however long the number is.
 */
export function centredInside({ x, y }: Pick<PlacedSymbol, 'x' | 'y'>): string {
	const along = (place: number, side: string): string =>
		`clamp(${-100 * place}${side}, -50%, ${100 - 100 * place}${side} - 100%)`;
	return `${along(x, 'cqw')} ${along(y, 'cqh')}`;
}

/** Turns a vector clockwise by a multiple of 90 degrees, without rounding. */
function turned([x, y]: Point, turn: Turn): Point {
	switch (turn) {
		case 0:
			return [x, y];
		case 90:
			return [-y, x];
		case 180:
			return [-x, -y];
		case 270:
			return [y, -x];
	}
}
