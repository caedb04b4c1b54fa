/** What stands at one place of a diagram. */
export type SymbolKind = 'value' | 'tank' | 'pump' | 'valve' | 'filter' | 'source' | 'network' | 'text' | 'frame' | 'join';

/** By how much a symbol is turned clockwise, in degrees. */
export type Turn = 0 | 90 | 180 | 270;

/** Where a symbol has words beside it. */
export type WordsSide = 'above' | 'below' | 'left' | 'right';

/** The sides of a symbol that a pipe ends at. Pumps and valves have `in` and `out`, which turn with them. */
export const portSides = ['in', 'out', 'left', 'right', 'top', 'bottom'] as const;

/** A side of a symbol that a pipe ends at. */
export type PortSide = (typeof portSides)[number];

/** A place on the drawing, as shares of its width and of its height, from the top left. */
export type Point = readonly [x: number, y: number];

/** A symbol at its place. `x` and `y` are its centre; sizes are shares of the drawing's width and height. */
export interface PlacedSymbol {
	readonly kind: SymbolKind;
	readonly x: number;
	readonly y: number;
	readonly w?: number | undefined;
	/** Of pumps, valves and networks it follows from `w`. */
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

/** How the shape of a kind follows from its place. */
interface KindGeometry {
	/** The size where none is stored. A height of null: as high as it is wide. */
	readonly size: readonly [width: number, height: number | null];
	/** The centre of the shape's box, from the symbol's own centre, in widths of the box. It turns with the symbol. */
	readonly offset?: Point;
	/** Where `in` and `out` are, as shares of the box. They turn with the symbol. */
	readonly in?: Point;
	readonly out?: Point;
	/** How far the shape stays behind each edge of its box, in shares of the box. */
	readonly insets?: Partial<Readonly<Record<PortSide, number>>>;
}

/** The ratio of width and height of a diagram that has none stored: those of before had no other. */
export const formerRatio = 13 / 9;

/** The ratio of a new diagram: it fills a window of 1440 by 900. */
export const newRatio = 1.6;

/**
 * The shapes. Ports of pumps and valves are where the symbols of `sprite.svg` have their openings. A value, a text and a join have no
 * size of their own: every port of theirs is their centre.
 */
export const kindGeometry: Readonly<Record<SymbolKind, KindGeometry>> = {
	value: { size: [0, 0] },
	tank: { size: [0.12, 0.25] },
	pump: { size: [0.042, null], in: [5 / 48, 26 / 48], out: [45 / 48, 15 / 48] },
	// A valve's place is the axis of its pipe, which is below the middle of its symbol.
	valve: { size: [0.034, null], offset: [0, -5 / 48], in: [0, 29 / 48], out: [1, 29 / 48] },
	filter: { size: [0.085, 0.28] },
	// A pipe from above ends at the surface of the water.
	source: { size: [0.18, 0.065], insets: { top: 0.25 } },
	network: { size: [0.05, null], insets: { top: 5 / 24, bottom: 4 / 24, left: 2.5 / 24, right: 2.5 / 24 } },
	text: { size: [0, 0] },
	frame: { size: [0.2, 0.5] },
	join: { size: [0, 0] },
};

/** The sides that a pipe may end at, by kind, in the order in which a keyboard offers them. */
export function portSidesOf(kind: SymbolKind): readonly PortSide[] {
	if (kind === 'pump' || kind === 'valve') return portSides;
	return ['left', 'right', 'top', 'bottom'];
}

/** Returns the box around a symbol's shape. Of a value and a text, whose words decide their size, it is a point. */
export function boxOf(symbol: PlacedSymbol, ratio: number): SymbolBox {
	const { size, offset = [0, 0] } = kindGeometry[symbol.kind];
	const width = size[0] === 0 ? 0 : (symbol.w ?? size[0]);
	const height = size[1] === null ? width * ratio : size[1] === 0 ? 0 : (symbol.h ?? size[1]);
	const [dx, dy] = turned(offset, symbol.turn ?? 0);
	return {
		left: symbol.x + dx * width - width / 2,
		top: symbol.y + dy * width * ratio - height / 2,
		width,
		height,
	};
}

/** Returns the place of a port. `at` says where on the side, from its left or upper end: 0 to 1. */
export function portOf(symbol: PlacedSymbol, side: PortSide, at: number, ratio: number): Point {
	const { left, top, width, height } = boxOf(symbol, ratio);
	const geometry = kindGeometry[symbol.kind];
	const opening = side === 'in' ? geometry.in : side === 'out' ? geometry.out : undefined;
	if (opening !== undefined) {
		const [dx, dy] = turned([opening[0] - 0.5, opening[1] - 0.5], symbol.turn ?? 0);
		return [left + (0.5 + dx) * width, top + (0.5 + dy) * height];
	}
	const inset = geometry.insets?.[side] ?? 0;
	// A symbol without openings of its own is entered from the left and left to the right.
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

/** Returns in which direction a pipe leaves a port: level, or straight up or down. */
export function portAxis({ kind, turn = 0 }: Pick<PlacedSymbol, 'kind' | 'turn'>, side: PortSide): 'level' | 'upright' {
	if (side === 'top' || side === 'bottom') return 'upright';
	if (side === 'left' || side === 'right' || kindGeometry[kind][side] === undefined) return 'level';
	return turn === 90 || turn === 270 ? 'upright' : 'level';
}

/** Returns where the words of a symbol stand: below it, or to the right of a pump or valve that stands upright. */
export function wordsOf({ kind, turn = 0 }: PlacedSymbol, words: WordsSide | undefined): WordsSide {
	if (words !== undefined) return words;
	if (kind === 'tank' || kind === 'filter') return 'above';
	return turn === 90 || turn === 270 ? 'right' : 'below';
}

/** How near to an edge an item is no longer centred on its place, as shares of width and height. */
export const edges = { x: 0.1, y: 0.05 } as const;

/** Returns by how much of its own size an item is moved to the left or up, so that it stays within the drawing at its edges. */
export function shiftOf(place: number, edge: number): number {
	if (place < edge) return (place / edge) * 0.5;
	return place > 1 - edge ? 1 - ((1 - place) / edge) * 0.5 : 0.5;
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
