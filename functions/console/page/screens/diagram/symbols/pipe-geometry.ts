import { type Side, sides } from '#domain/board/symbol-kinds.ts';
import { type PlacedSymbol, type Point, pointOf, portAxis, portOf } from './symbol-geometry.ts';

/** An end of a pipe: a side of the symbol with this key. `at` is the place along the side; without it, the end is at the middle. */
export type PipeEnd = readonly [key: string, side: Side, at?: number | undefined];

/** The end of a pipe in an answer of the service, not checked yet: a key, a side, and a place along the side. */
type EndContent = readonly (string | number | null | undefined)[];

/** A pipe as it is stored, in an answer of the service. */
export interface PipeContent {
	readonly from: EndContent;
	readonly to: EndContent;
	readonly via?: readonly (readonly number[])[] | null | undefined;
	readonly varId?: number | null | undefined;
	readonly bit?: number | null | undefined;
	readonly over?: number | null | undefined;
	readonly thin?: boolean | null | undefined;
}

/** Returns a stored pipe with an id that the caller gives; null where an end cannot be read. */
export function pipeOf<Id extends string | number>({ from, to, via, varId, bit, over, thin }: PipeContent, id: Id) {
	const [start, end] = [pipeEndOf(from), pipeEndOf(to)];
	if (start === null || end === null) return null;
	return {
		id,
		from: start,
		to: end,
		via: (via ?? []).map(pointOf).filter((bend) => bend !== null),
		varId: varId ?? null,
		bit: bit ?? null,
		over: over ?? 0,
		isThin: thin ?? false,
	};
}

/** Returns a checked end of a pipe; null where it cannot be read. The typed client of the service describes tuples as lists. */
function pipeEndOf([key, side, at]: EndContent): PipeEnd | null {
	const portSide = sides.find((each) => each === side);
	if (typeof key !== 'string' || portSide === undefined) return null;
	return typeof at === 'number' ? [key, portSide, at] : [key, portSide];
}

/** A pipe from one port to another, with the bends between them. */
export interface PlacedPipe {
	readonly from: PipeEnd;
	readonly to: PipeEnd;
	readonly via?: readonly Point[] | undefined;
}

/** The place of a pipe's mark, which is the middle of its longest part. `angle` is the direction of that part, clockwise in degrees. */
export interface PipeMark {
	readonly x: number;
	readonly y: number;
	readonly angle: number;
}

/** The width of the drawing in the units of its lines. Their height follows from the ratio. */
export const drawingUnits = 1000;

/**
 * Returns the places that a pipe leads through, from its first port to its last one; null if a symbol is missing. A pipe leaves each port
 * straight. So a corner is added if the next place is not in line with the port. Bends are joined by straight lines.
 * @param symbols the symbols by their key
 */
export function pipePoints(
	{ from, to, via = [] }: PlacedPipe,
	symbols: ReadonlyMap<string, PlacedSymbol>,
	ratio: number,
): readonly Point[] | null {
	const [first, last] = [from, to].map(([key, side, at = middleOfSide]) => {
		const symbol = symbols.get(key);
		return symbol === undefined ? undefined : { place: portOf(symbol, side, at, ratio), axis: portAxis(symbol, side) };
	});
	if (first === undefined || last === undefined) return null;
	const [firstBend, lastBend] = [via[0], via.at(-1)];
	return firstBend === undefined || lastBend === undefined
		? [first.place, ...cornersBetween(first, last, ratio), last.place]
		: [first.place, ...cornerTo(first, firstBend, ratio), ...via, ...cornerTo(last, lastBend, ratio), last.place];
}

/** Returns the points of a line in units of the drawing, as an SVG polyline has them. */
export function linePoints(points: readonly Point[], ratio: number): string {
	return points.map((point) => inUnits(point, ratio).map(rounded).join()).join(' ');
}

/** Returns the place of a line's mark, in units of the drawing; null if the line has no length. */
export function markOf(points: readonly Point[], ratio: number): PipeMark | null {
	const places = points.map((point) => inUnits(point, ratio));
	let longest: (PipeMark & { readonly length: number }) | null = null;
	for (const [index, [x, y]] of places.entries()) {
		const [toX, toY] = places[index + 1] ?? [x, y];
		const length = Math.hypot(toX - x, toY - y);
		if (length <= (longest?.length ?? 0)) continue;
		const angle = (Math.atan2(toY - y, toX - x) * 180) / Math.PI;
		longest = { x: rounded((x + toX) / 2), y: rounded((y + toY) / 2), angle: rounded(angle), length };
	}
	return longest === null ? null : { x: longest.x, y: longest.y, angle: longest.angle };
}

/** Returns the places of a leader. It runs level from the value until it is above or below the end, and then straight to the end. */
export function leaderPoints(x: number, y: number, [endX, endY]: Point): readonly Point[] {
	return [
		[x, y],
		[endX, y],
		[endX, endY],
	];
}

/** A port, and the direction in which a pipe leaves it. */
interface Port {
	readonly place: Point;
	readonly axis: ReturnType<typeof portAxis>;
}

/** The place of a pipe's end along its side if none is stored, as a share of the side. */
export const middleOfSide = 0.5;

/** The smallest offset that gets a corner, in units of the drawing. A smaller corner would look like a fault. */
const leastOffset = 2;

/** Returns the corner between a port and a bend, if one is needed. */
function cornerTo({ place, axis }: Port, bend: Point, ratio: number): readonly Point[] {
	if (areInLine(place, bend, ratio)) return [];
	return axis === 'level' ? [[bend[0], place[1]]] : [[place[0], bend[1]]];
}

/** Returns the corners between two ports: one if they are at a right angle, otherwise two halfway between them. */
function cornersBetween(from: Port, to: Port, ratio: number): readonly Point[] {
	const [[x, y], [toX, toY]] = [from.place, to.place];
	if (areInLine(from.place, to.place, ratio)) return [];
	if (from.axis !== to.axis) return cornerTo(from, to.place, ratio);
	const [middleX, middleY] = [(x + toX) / 2, (y + toY) / 2];
	return from.axis === 'level'
		? [
				[middleX, y],
				[middleX, toY],
			]
		: [
				[x, middleY],
				[toX, middleY],
			];
}

function areInLine(one: Point, other: Point, ratio: number): boolean {
	const [[x, y], [toX, toY]] = [inUnits(one, ratio), inUnits(other, ratio)];
	return Math.abs(x - toX) < leastOffset || Math.abs(y - toY) < leastOffset;
}

function inUnits([x, y]: Point, ratio: number): Point {
	return [x * drawingUnits, (y * drawingUnits) / ratio];
}

function rounded(value: number): number {
	return Math.round(value * 100) / 100;
}
