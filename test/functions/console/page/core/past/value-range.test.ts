import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { barScaleOf, leastSpanOf, valueRangeOf } from '#page/core/past/value-range.ts';

describe('the range of a day', () => {
	test('takes least and greatest, or the own windows of a calculated variable', () => {
		expect(valueRangeOf({ values: { own: [2, null], min: [1, null], max: [4, null] } })).toEqual({ from: 1, to: 4 });
		expect(valueRangeOf({ values: { own: [2, 0, null] } })).toEqual({ from: 0, to: 2 });
	});

	test('is none without a value', () => {
		expect(valueRangeOf({ values: { own: [null], min: [null] } })).toBeNull();
	});
});

test('a scale holds the range, the limits and the value, and does not begin below zero for what is never negative', () => {
	expect(barScaleOf({ from: 1, to: 5 }, [])).toEqual({ from: 0.6, to: 5.4 });
	expect(barScaleOf({ from: 0, to: 10 }, [])).toEqual({ from: 0, to: 11 });
	const number = fc.double({ noNaN: true, noDefaultInfinity: true });
	fc.assert(
		fc.property(number, number, fc.array(number), (one, other, others) => {
			const range = { from: Math.min(one, other), to: Math.max(one, other) };
			const scale = barScaleOf(range, others);
			for (const value of [one, other, ...others]) expect(scale.from <= value && value <= scale.to).toBe(true);
			expect([scale.from, scale.to].every(Number.isFinite)).toBe(true);
		}),
	);
});

test('the height of a line stands for 2 % of its values at least, and for 15 % of the day', () => {
	expect(leastSpanOf([100, null, 99], null)).toBeCloseTo(2);
	expect(leastSpanOf([1], { from: 0, to: 100 })).toBeCloseTo(15);
});
