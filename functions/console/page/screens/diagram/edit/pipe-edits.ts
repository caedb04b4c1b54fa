import { maxBends, type Side, symbolKinds } from '#domain/board/symbol-kinds.ts';
import { type DraftPipe, type DraftSymbol, freshKey, symbolIn } from '../diagram-draft.ts';
import { middleOfSide, type PipeEnd } from '../symbols/pipe-geometry.ts';
import { boxOf, formerRatio, type Point, portOf } from '../symbols/symbol-geometry.ts';
import { gridStep, onDrawing, onGrid } from './grid.ts';
import { type DrawingContent, nextId, placedOf } from './symbol-edits.ts';

/** A place on a symbol where a pipe ends. */
export interface PipePort {
	/** The symbol's id in the draft. */
	readonly symbol: number;
	readonly side: Side;
	/** The place along the side; null for its middle, or for an opening. */
	readonly at: number | null;
}

/** Adds a pipe between two symbols. If the ports cannot be joined, it returns the drawing unchanged. */
export function withPipe<Draft extends DrawingContent>(
	drawing: Draft,
	from: PipePort,
	to: PipePort,
	via: readonly Point[],
): Draft {
	if (from.symbol === to.symbol || via.length > maxBends) return drawing;
	const start = endAtPort(drawing, from);
	const end = start === null ? null : endAtPort(start.drawing, to);
	if (start === null || end === null) return drawing;
	const pipe: DraftPipe = {
		id: nextId(drawing),
		from: start.end,
		to: end.end,
		via: via.map(([x, y]): Point => [onDrawing(x), onDrawing(y)]),
		varId: null,
		bit: null,
		over: 0,
		isThin: false,
	};
	return { ...end.drawing, pipes: [...end.drawing.pipes, pipe] };
}

/** Moves an end of a pipe to another port. The two ends must be at different symbols. */
export function withPipeEnd<Draft extends DrawingContent>(
	drawing: Draft,
	id: number,
	which: 'from' | 'to',
	port: PipePort,
): Draft {
	const pipe = drawing.pipes.find((each) => each.id === id);
	const placed = pipe === undefined ? null : endAtPort(drawing, port);
	if (pipe === undefined || placed === null) return drawing;
	const other = which === 'from' ? pipe.to : pipe.from;
	if (other[0] === placed.end[0]) return drawing;
	const pipes = placed.drawing.pipes.map((each) => (each.id === id ? { ...each, [which]: placed.end } : each));
	return { ...placed.drawing, pipes };
}

/** Reverses the direction of a pipe. */
export function withPipeTurned<Draft extends DrawingContent>(drawing: Draft, id: number): Draft {
	const pipes = drawing.pipes.map((pipe) =>
		pipe.id === id ? { ...pipe, from: pipe.to, to: pipe.from, via: pipe.via.toReversed() } : pipe,
	);
	return { ...drawing, pipes };
}

/** Changes the bends of a pipe. A pipe has at most `maxBends`. */
export function withBends<Draft extends DrawingContent>(drawing: Draft, id: number, via: readonly Point[]): Draft {
	if (via.length > maxBends) return drawing;
	const places = via.map(([x, y]): Point => [onDrawing(x), onDrawing(y)]);
	return { ...drawing, pipes: drawing.pipes.map((pipe) => (pipe.id === id ? { ...pipe, via: places } : pipe)) };
}

/** Returns the symbol at the end of a pipe; null if it is missing. */
export function symbolAt({ symbols }: Pick<DrawingContent, 'symbols'>, [key]: PipeEnd): DraftSymbol | null {
	return symbols.find((symbol) => symbol.key === key) ?? null;
}

/** Returns the place of a port; null if its symbol is missing. */
export function placeOfPort(drawing: Pick<DrawingContent, 'symbols' | 'ratio'>, { symbol, side, at }: PipePort): Point | null {
	const found = symbolIn(drawing, symbol);
	return found === null ? null : portOf(placedOf(found), side, at ?? middleOfSide, drawing.ratio ?? formerRatio);
}

/** Returns the main ports of a symbol: its openings, or else the middles of its sides. */
export function portsOf({ id, kind }: Pick<DraftSymbol, 'id' | 'kind'>): readonly PipePort[] {
	const { sides } = symbolKinds[kind];
	const openings = sides.filter((side) => side === 'in' || side === 'out');
	return (openings.length > 0 ? openings : sides).map((side) => ({ symbol: id, side, at: null }));
}

/** Returns whether the place along a side can be chosen. An opening is a point, so it has no choice of places. */
export function hasAt({ kind }: Pick<DraftSymbol, 'kind'>, side: Side): boolean {
	return symbolKinds[kind].hasPlacesAlongSides && side !== 'in' && side !== 'out';
}

/**
 * Returns the port of a symbol that is nearest to a place: one of its openings, or a place on a side. Unless `isFree`, the places on a
 * side are its middle and those on the lines of the grid.
 */
export function nearestPort(symbol: DraftSymbol, place: Point, ratio: number, { isFree = false } = {}): PipePort | null {
	const ports = portsOf(symbol).map((port) => portNear(port, symbol, place, { ratio, isFree }));
	const distance = (port: PipePort): number => {
		const [x, y] = portOf(placedOf(symbol), port.side, port.at ?? middleOfSide, ratio);
		return Math.hypot(x - place[0], (y - place[1]) / ratio);
	};
	return ports.toSorted((one, other) => distance(one) - distance(other))[0] ?? null;
}

/**
 * Returns the next bend of a pipe. It is on the grid, and exactly in line with the place before it if it is almost in line. With `isFree`
 * it is where it was put.
 */
export function bendAt([x, y]: Point, before: Point, { isFree = false } = {}): Point {
	if (isFree) return [onDrawing(x), onDrawing(y)];
	const aligned = (place: number, placeBefore: number): number =>
		Math.abs(place - placeBefore) < gridStep ? onDrawing(placeBefore) : place;
	return [aligned(onGrid(x), before[0]), aligned(onGrid(y), before[1])];
}

/** Moves a port along its side as near as possible to a place. */
function portNear(
	port: PipePort,
	symbol: DraftSymbol,
	[x, y]: Point,
	{ ratio, isFree }: { readonly ratio: number; readonly isFree: boolean },
): PipePort {
	if (!hasAt(symbol, port.side)) return port;
	const { left, top, width, height } = boxOf(placedOf(symbol), ratio);
	const isUpright = port.side === 'left' || port.side === 'right';
	const [sideStart, sideLength, wanted] = isUpright ? [top, height, y] : [left, width, x];
	if (sideLength === 0) return port;
	// Near the middle of the side the port stays there, whatever the grid is.
	if (Math.abs(wanted - sideStart - sideLength / 2) < gridStep / 2) return port;
	const share = ((isFree ? wanted : onGrid(wanted)) - sideStart) / sideLength;
	return { ...port, at: onDrawing(share) };
}

/** Returns the end of a pipe at a port, and the drawing in which the symbol has a key. Null if no pipe can end at the port. */
function endAtPort<Draft extends DrawingContent>(
	drawing: Draft,
	{ symbol: id, side, at }: PipePort,
): { readonly drawing: Draft; readonly end: PipeEnd } | null {
	const symbol = symbolIn(drawing, id);
	if (symbol === null || !symbolKinds[symbol.kind].sides.includes(side)) return null;
	const key = symbol.key ?? freshKey(symbol.kind, new Set(drawing.symbols.flatMap((each) => each.key ?? [])));
	const end: PipeEnd = at === null || !hasAt(symbol, side) ? [key, side] : [key, side, onDrawing(at)];
	const symbols =
		symbol.key === key ? drawing.symbols : drawing.symbols.map((each) => (each.id === id ? { ...each, key } : each));
	return { drawing: { ...drawing, symbols }, end };
}
