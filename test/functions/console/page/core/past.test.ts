import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leastSpanOf, lineOf, rangeOf, scaleOf } from '#page/core/past.ts';

const minute = 60_000;
const boundsOf = (count: number): number[] => Array.from({ length: count + 1 }, (_, index) => index * minute);

describe('the line of an hour', () => {
	test('keeps values as they are, zero too', () => {
		expect(lineOf({ values: { own: [0, 1, -2] }, period: { count: 5, unit: 's' } }, boundsOf(3))).toEqual([0, 1, -2]);
	});

	test('keeps a gap after the time for which a sample counts: 60 s for a quick source', () => {
		const own = [1, null, null, null, 2];
		expect(lineOf({ values: { own }, period: { count: 5, unit: 's' } }, boundsOf(5))).toEqual([1, 1, null, null, 2]);
	});

	test('holds a sample of a slow source for two of its periods', () => {
		const own = [1, null, null, null, null, null, 2];
		expect(lineOf({ values: { own }, period: { count: 2, unit: 'm' } }, boundsOf(7))).toEqual([1, 1, 1, 1, 1, null, 2]);
	});

	test('holds a sample for 60 s where the variable has no period of its own', () => {
		expect(lineOf({ values: { own: [1, null, null, 2] }, period: null }, boundsOf(4))).toEqual([1, 1, null, 2]);
	});

	test('has no value before the first sample', () => {
		expect(lineOf({ values: { own: [null, 3] }, period: { count: 1, unit: 'd' } }, boundsOf(2))).toEqual([null, 3]);
	});
});

describe('the range of a day', () => {
	test('takes least and greatest, or the own windows of a calculated variable', () => {
		expect(rangeOf({ values: { own: [2, null], min: [1, null], max: [4, null] } })).toEqual({ from: 1, to: 4 });
		expect(rangeOf({ values: { own: [2, 0, null] } })).toEqual({ from: 0, to: 2 });
	});

	test('is none without a value', () => {
		expect(rangeOf({ values: { own: [null], min: [null] } })).toBeNull();
	});
});

test('a scale holds the range, the limits and the value, and does not begin below zero for what is never negative', () => {
	expect(scaleOf({ from: 1, to: 5 }, [])).toEqual({ from: 0.6, to: 5.4 });
	expect(scaleOf({ from: 0, to: 10 }, [])).toEqual({ from: 0, to: 11 });
	const number = fc.double({ noNaN: true, noDefaultInfinity: true });
	fc.assert(
		fc.property(number, number, fc.array(number), (one, other, others) => {
			const range = { from: Math.min(one, other), to: Math.max(one, other) };
			const scale = scaleOf(range, others);
			for (const value of [one, other, ...others]) expect(scale.from <= value && value <= scale.to).toBe(true);
			expect([scale.from, scale.to].every(Number.isFinite)).toBe(true);
		}),
	);
});

test('the height of a line stands for 2 % of its values at least, and for 15 % of the day', () => {
	expect(leastSpanOf([100, null, 99], null)).toBeCloseTo(2);
	expect(leastSpanOf([1], { from: 0, to: 100 })).toBeCloseTo(15);
});
