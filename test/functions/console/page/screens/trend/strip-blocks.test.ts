import { expect, test } from 'vitest';
import { findGaps } from '#page/core/past/windows.ts';
import { stripBlocks } from '#page/screens/trend/strip-blocks.ts';

const second = 1000;
/** Windows of 10 s. */
const boundsOf = (count: number) => Array.from({ length: count + 1 }, (_, index) => index * 10 * second);
const none = new Set<number>();

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
