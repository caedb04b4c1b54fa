import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareFromTop, valueScale } from '#page/core/past/round-scale.ts';

test.each([
	['reaches down to zero', [0, 440.7], [], 0, 500],
	['takes zero in where values come near it', [122.1, 348], [], 0, 400],
	['stays with values that are far from zero', [257.9, 262.1], [], 257, 263],
	['takes zero in from below', [-3, -1], [], -3, 0],
	['gives one value room', [5, 5], [], 4.4, 5.6],
	['gives zero alone room', [0, 0], [], 0, 1],
	['takes a near threshold in', [2.1, 3.4], [1.4], 1, 3.5],
	['leaves a far threshold out', [2.1, 3.4], [0.7], 2, 3.5],
])('%s', (_, values, limits, min, max) => {
	const scale = valueScale(values, limits);
	expect([scale.min, scale.max]).toEqual([min, max]);
});

test('without values there is a scale without ticks', () => {
	expect(valueScale([], [2])).toEqual({ min: 0, max: 1, ticks: [], decimals: 0 });
});

test('labels of ticks have the decimals that tell them apart', () => {
	expect(valueScale([2.1, 3.4], [])).toEqual({ min: 2, max: 3.5, ticks: [2, 2.5, 3, 3.5], decimals: 1 });
	expect(valueScale([0.31, 0.34], []).ticks.map((tick) => tick.toFixed(valueScale([0.31, 0.34], []).decimals))).toEqual([
		'0.310',
		'0.315',
		'0.320',
		'0.325',
		'0.330',
		'0.335',
		'0.340',
	]);
});

test('every value is on its scale, and ticks are distinct', () => {
	const numbers = fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((value) => Math.round(value * 1e4) / 1e4);
	fc.assert(
		fc.property(fc.array(numbers, { minLength: 1, maxLength: 20 }), fc.array(numbers, { maxLength: 3 }), (values, limits) => {
			const scale = valueScale(values, limits);
			expect(scale.max).toBeGreaterThan(scale.min);
			const slack = (scale.max - scale.min) * 1e-9;
			for (const value of values) {
				expect(value).toBeGreaterThanOrEqual(scale.min - slack);
				expect(value).toBeLessThanOrEqual(scale.max + slack);
			}
			expect(new Set(scale.ticks).size).toBe(scale.ticks.length);
			expect(scale.ticks.length).toBeLessThanOrEqual(9);
		}),
	);
});

test('a share is counted from the top', () => {
	const scale = valueScale([0, 10], []);
	expect([10, 5, 0].map((value) => shareFromTop(scale, value))).toEqual([0, 0.5, 1]);
});
