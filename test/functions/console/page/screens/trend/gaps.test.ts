import { expect, test } from 'vitest';
import { findGaps, gapsMs } from '#page/screens/trend/gaps.ts';

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
