import type { SvgElement } from './svg-element.ts';

/**
 * Returns at least the length of the outline of an element, in its own units: that of its `pathLength` where that is longer, because dashes
 * are measured by it.
 * @param viewport the size of which lengths in % are shares
 * @param styled the largest size in styles and of fonts
 */
export function outlineOf({ attributes, content }: SvgElement, viewport: number, styled: number): number {
	const { d, points, pathLength = '' } = attributes;
	const declared = Math.abs(Number.parseFloat(pathLength)) || 0;
	if (d !== undefined || points !== undefined) return Math.max(lengthOfPath(d ?? `M${points}z`), declared);
	const letters = content.reduce((sum, child) => sum + (typeof child === 'string' ? child.trim().length : 0), 0);
	const size = shapeSizes.reduce((sum, name) => sum + lengthIn(attributes[name] ?? '', viewport), styled);
	return Math.max(sides * (size + styled * letters), declared);
}

const shapeSizes = ['x1', 'y1', 'x2', 'y2', 'r', 'rx', 'ry', 'width', 'height'] as const;

/** The outline of a shape or a letter is at most so many times the sum of its sizes. */
const sides = 8;

/** The length of the units of CSS in those of the drawing. */
const units: ReadonlyMap<string, number> = new Map(
	Object.entries({ '': 1, px: 1, pt: 1.34, pc: 16, mm: 3.78, cm: 37.8, in: 96 }),
);

/** The most that any other unit has, such as one of the font. */
const otherUnit = 100;

function lengthIn(text: string, viewport: number): number {
	const length = Math.abs(Number.parseFloat(text)) || 0;
	if (length === 0) return 0;
	// No unit that is known is longer. To look for one in all of a long text could take the square of its length.
	const [unit = ''] = /[a-z%]*$/i.exec(text.trim().slice(-3)) ?? [];
	return length * (unit === '%' ? viewport / 100 : (units.get(unit.toLowerCase()) ?? otherUnit));
}

/** How many numbers each command of a path takes. */
const countOf: ReadonlyMap<string, number> = new Map(Object.entries({ m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7 }));

interface Place {
	readonly x: number;
	readonly y: number;
}

const zero: Place = { x: 0, y: 0 };

/**
 * Returns at least the length of a path (https://www.w3.org/TR/SVG2/paths.html#PathData): a curve is no longer than the lines through its
 * control points, and an arc no longer than a circle around its ellipse.
 */
function lengthOfPath(path: string): number {
	let length = 0;
	let place = zero;
	let start = place;
	/** The distance from the last control point of a curve to its end: that of the first one of the next curve, where it mirrors that. */
	let arm = 0;
	for (const [, command = '', text = ''] of path.matchAll(/([mlhvcsqtaz])([^mlhvcsqtaz]*)/gi)) {
		const kind = command.toLowerCase();
		const isRelative = kind === command;
		const count = countOf.get(kind) ?? Number.POSITIVE_INFINITY;
		const numbers = numbersIn(text, kind === 'a');
		for (let first = 0; first + count <= numbers.length; first += count) {
			const origin = isRelative ? place : zero;
			let lines = 0;
			let last = 0;
			// Each pair is a control point or the end. Of an arc, only the last pair is a place.
			for (let at = kind === 'a' ? first + 5 : first; at < first + count; at += 2) {
				const next = placeOf(kind, numbers[at] ?? 0, numbers[at + 1] ?? 0, origin, place);
				last = Math.hypot(next.x - place.x, next.y - place.y);
				lines += last;
				place = next;
			}
			if (kind === 'm' && first === 0) start = place;
			else if (kind === 'a') length += lengthOfArc(numbers[first] ?? 0, numbers[first + 1] ?? 0, last);
			else length += kind === 's' || kind === 't' ? lines + 2 * arm : lines;
			if (kind === 't') arm += last;
			else arm = 'csq'.includes(kind) ? last : 0;
		}
		if (kind !== 'z') continue;
		length += Math.hypot(start.x - place.x, start.y - place.y);
		place = start;
		arm = 0;
	}
	return length;
}

/** Returns the numbers of a command up to the first fault. The flags of an arc are digits, which need no space between them. */
function numbersIn(text: string, isArc: boolean): readonly number[] {
	const numbers: number[] = [];
	let end = 0;
	for (;;) {
		const part = isArc && [3, 4].includes(numbers.length % 7) ? flag : number;
		part.lastIndex = end;
		const [, digits] = part.exec(text) ?? [];
		if (digits === undefined) return numbers;
		numbers.push(Number(digits));
		end = part.lastIndex;
	}
}

const flag = /[\s,]*([01])/y;
const number = /[\s,]*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)/iy;

/**
 * Returns where a pair of numbers leads.
 * @param origin what the numbers are added to
 * @param from where the command is when it reads them
 */
function placeOf(kind: string, one: number, other: number, origin: Place, from: Place): Place {
	if (kind === 'h') return { x: origin.x + one, y: from.y };
	return kind === 'v' ? { x: from.x, y: origin.y + one } : { x: origin.x + one, y: origin.y + other };
}

/** The length of an arc in radii: a circle, and what browsers draw beyond it where both ends are nearly one place. */
const arcRadii = 7;

/** An ellipse that is too small for its chord is enlarged until it fits. */
function lengthOfArc(rx: number, ry: number, chord: number): number {
	const [least, most] = [Math.min(Math.abs(rx), Math.abs(ry)), Math.max(Math.abs(rx), Math.abs(ry))];
	return least === 0 ? chord : arcRadii * most * Math.max(1, chord / (2 * least));
}
