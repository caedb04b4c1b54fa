import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bandPath, curvePath, lineRuns, lonePointsPath } from '#page/screens/trend/curve-path.ts';
import { findGaps, gapsMs } from '#page/screens/trend/gaps.ts';
import { stripBlocks } from '#page/screens/trend/strip-blocks.ts';

const second = 1000;
/** Windows of 10 s. */
const boundsOf = (count: number) => Array.from({ length: count + 1 }, (_, index) => index * 10 * second);
const none = new Set<number>();
const places = { x: (index: number) => index * 10, y: (value: number) => value };

test('windows without samples are a gap, zero is a value', () => {
	const column = [0, null, null, 0];
	expect(findGaps(column, none, boundsOf(4), 5 * second)).toEqual([{ kind: 'no_data', from: 1, to: 3 }]);
});

test('windows that are shorter than the period of a variable are no gap between two of its samples', () => {
	const column = [1, null, null, 2, null, null, null, 3];
	expect(findGaps(column, none, boundsOf(8), 29 * second)).toEqual([{ kind: 'no_data', from: 4, to: 7 }]);
	expect(findGaps(column, none, boundsOf(8), 30 * second)).toEqual([]);
});

test('windows that have samples without a value are bad, however short', () => {
	const column = [1, null, null, null, 2];
	expect(findGaps(column, new Set([2]), boundsOf(5), 60 * second)).toEqual([{ kind: 'bad', from: 2, to: 3 }]);
	expect(findGaps(column, new Set([2]), boundsOf(5), second)).toEqual([
		{ kind: 'no_data', from: 1, to: 2 },
		{ kind: 'bad', from: 2, to: 3 },
		{ kind: 'no_data', from: 3, to: 4 },
	]);
});

test('the length of gaps is that of their windows', () => {
	expect(gapsMs(findGaps([null, 1, null], none, [0, 7000, 9000, 10_000], 0), [0, 7000, 9000, 10_000])).toBe(8000);
});

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
	expect(bandPath([1, 2], [5, 6], [], places)).toBe('M0 5L10 6L10 2L0 1Z');
	expect(bandPath([null], [null], [], places)).toBe('');
});

test('a strip has blocks where it was on, was on for a part, and is missing', () => {
	const column = [0, 1, 1, 0.4, 0, null, null, 1];
	const gaps = findGaps(column, none, boundsOf(8), second);
	expect(stripBlocks(column, gaps)).toEqual([
		{ state: 'on', from: 1, to: 3 },
		{ state: 'mixed', from: 3, to: 4 },
		{ state: 'on', from: 7, to: 8 },
		{ state: 'no_data', from: 5, to: 7 },
	]);
});

test('a state that is seldom sampled lasts until its next sample, and is not known before the first', () => {
	const column = [null, 1, null, null, 0, null];
	expect(stripBlocks(column, findGaps(column, none, boundsOf(6), 30 * second))).toEqual([
		{ state: 'no_data', from: 0, to: 1 },
		{ state: 'on', from: 1, to: 4 },
	]);
});
