import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bandPath, curvePath, curveWithDots, lineRuns, lonePointsPath } from '#page/core/past/curve-path.ts';
import { findGaps } from '#page/core/past/windows.ts';

const second = 1000;
/** Windows of 10 s. */
const boundsOf = (count: number) => Array.from({ length: count + 1 }, (_, index) => index * 10 * second);
const none = new Set<number>();
const places = { x: (index: number) => index * 10, y: (value: number) => value };

test('every window is in a line, in a gap, or waits for the next sample', () => {
	const columns = fc.array(fc.option(fc.integer({ min: 0, max: 2 })), { maxLength: 60 });
	fc.assert(
		fc.property(columns, fc.integer({ min: 0, max: 50 * second }), (column, ownMs) => {
			const gaps = findGaps(column, none, boundsOf(column.length), ownMs);
			const runs = lineRuns(column, gaps);
			expect(runs.flat()).toEqual(column.flatMap((value, index) => (value === null ? [] : [index])));
			for (const run of runs)
				for (const { from } of gaps) expect(run.some((index) => index < from) && run.some((index) => index > from)).toBe(false);
		}),
	);
});

test('a line ends at a gap and goes on behind it', () => {
	const column = [1, 2, null, 3, null, 4];
	const gaps = findGaps(column, none, boundsOf(6), second);
	expect(curvePath(column, gaps, places)).toBe('M0 1L10 2M30 3M50 4');
	expect(lonePointsPath(column, gaps, places)).toBe('M30 3h0M50 4h0');
	expect(curvePath(column, [], places)).toBe('M0 1L10 2L30 3L50 4');
});

test('a band goes along the greatest values and back along the least', () => {
	expect(bandPath({ low: [1, 2], high: [5, 6] }, [], places)).toBe('M0 5L10 6L10 2L0 1Z');
	expect(bandPath({ low: [null], high: [null] }, [], places)).toBe('');
});

test('whatever the values, no segment spans a gap and every value is drawn', () => {
	const columns = fc.array(fc.option(fc.double({ noNaN: true, min: -1e6, max: 1e6 })), { maxLength: 60 });
	const bads = fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { maxLength: 6 });
	fc.assert(
		fc.property(columns, bads, fc.integer({ min: 0, max: 50 * second }), (column, bad, ownMs) => {
			const gaps = findGaps(column, new Set(bad), boundsOf(column.length), ownMs);
			const parts = curveWithDots(column, gaps, places).split('M').slice(1);
			const indices = parts.map((part) => part.split('L').map((point) => Number.parseFloat(point) / 10));
			expect(indices.flat()).toEqual(column.flatMap((value, index) => (value === null ? [] : [index])));
			for (const [part, drawn] of indices.entries()) {
				expect(parts[part]?.endsWith('h0')).toBe(drawn.length === 1);
				const [from = 0, to = 0] = [drawn[0], drawn.at(-1)];
				for (const gap of gaps) expect(gap.to <= from || gap.from > to).toBe(true);
			}
		}),
	);
});
