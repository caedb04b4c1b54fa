import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aggregateColumnOf, equalRuns, findGaps, gapsMs, knownWindows, valueOrBit } from '#page/core/past/windows.ts';

const second = 1000;
/** Windows of 10 s. */
const boundsOf = (count: number) => Array.from({ length: count + 1 }, (_, index) => index * 10 * second);
const none = new Set<number>();

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

const minute = 60 * second;
const minutesOf = (count: number) => Array.from({ length: count + 1 }, (_, index) => index * minute);

describe('the windows of a line up to now', () => {
	const valuesOf = (own: (number | null)[], period: { count: number; unit: 's' | 'm' | 'd' } | null) =>
		knownWindows({ values: { own }, period }, minutesOf(own.length)).values;

	test('keep values as they are, zero too', () => {
		expect(valuesOf([0, 1, -2], { count: 5, unit: 's' })).toEqual([0, 1, -2]);
	});

	test('keep a gap as a gap: two empty minutes of a variable by the minute', () => {
		expect(valuesOf([1, null, null, 1], { count: 1, unit: 'm' })).toEqual([1, null, null, 1]);
		expect(valuesOf([1, null, 2], { count: 5, unit: 's' })).toEqual([1, null, 2]);
	});

	test('hold a value over one empty window of the own period: a single late sample is no gap', () => {
		expect(valuesOf([1, null, 1], { count: 1, unit: 'm' })).toEqual([1, 1, 1]);
		expect(valuesOf([1, null, 1], { count: 59, unit: 's' })).toEqual([1, null, 1]);
	});

	test('hold a sample of a slow source for its own period', () => {
		expect(valuesOf([1, null, null, 2, null, null, null, 3], { count: 2, unit: 'm' })).toEqual([1, 1, 1, 2, null, null, null, 3]);
	});

	test('have a gap at every empty window where the variable has no period of its own', () => {
		expect(valuesOf([1, null, 2], null)).toEqual([1, null, 2]);
	});

	test('have no value before the first sample', () => {
		expect(valuesOf([null, 3], { count: 1, unit: 'd' })).toEqual([null, 3]);
	});

	test('have the least and the greatest value around each value, which is held where there is no sample', () => {
		const history = {
			values: { own: [3, null, 5, null, null, null], min: [2, null, 5.5, null, null, null], max: [4, null, 6, null, null, null] },
		};
		const period = { count: 2, unit: 'm' } as const;
		const bounds = [0, 1, 2, 3, 4, 5, 6].map((index) => index * minute);
		expect(knownWindows({ ...history, period }, bounds)).toEqual({
			values: [3, 3, 5, null, null, null],
			bounds,
			band: { low: [2, 3, 5, null, null, null], high: [4, 3, 6, null, null, null] },
		});
	});

	test('leave out a cut window without a sample at either end, and keep a whole one', () => {
		const period = { count: 1, unit: 's' } as const;
		const bounds = [57 * second, minute, 2 * minute, 3 * minute, 3 * minute + 2 * second];
		expect(knownWindows({ values: { own: [null, 1, 0, null] }, period }, bounds)).toEqual({
			values: [1, 0],
			bounds: bounds.slice(1, 4),
			band: null,
		});
		expect(valuesOf([null, 1, 0, null], period)).toEqual([null, 1, 0, null]);
	});
});

test('the wanted column counts, and the own one of a calculated variable, which has no samples', () => {
	expect(aggregateColumnOf({ values: { own: [0.5, 0.5], last: [0, 1] } }, 'last')).toEqual([0, 1]);
	expect(aggregateColumnOf({ values: { own: [1, 0], last: [null, null] } }, 'last')).toEqual([1, 0]);
	expect(aggregateColumnOf({ values: { own: [1, 0] } }, 'mean')).toEqual([1, 0]);
	expect(aggregateColumnOf({ values: {} }, 'mean')).toEqual([]);
});

test('a bit of what is no byte is no value', () => {
	expect([0, 255, 256, -1, 1.5, null].map((value) => valueOrBit(value, 7))).toEqual([0, 1, null, null, null, null]);
	expect(valueOrBit(1.5, null)).toBe(1.5);
});

test('runs cover every item once, in order, and neighbours differ', () => {
	fc.assert(
		fc.property(fc.array(fc.option(fc.boolean())), (items) => {
			const runs = equalRuns(items);
			expect(runs.flatMap(({ of, from, to }) => Array.from({ length: to - from }, () => of))).toEqual(items);
			for (const [index, { of, from }] of runs.entries()) {
				expect(from).toBe(runs[index - 1]?.to ?? 0);
				if (index > 0) expect(of).not.toBe(runs[index - 1]?.of);
			}
		}),
	);
});
