import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { knownWindows } from '#page/core/past/windows.ts';
import { sparklineOf } from '#page/parts/sparkline-path.ts';

describe('sparklineOf', () => {
	test('draws from the left to the right edge, the greatest value at the top', () => {
		expect(sparklineOf([0, 10, 5])).toEqual({
			path: 'M0 100L50 0L100 50',
			band: '',
			end: { x: 100, y: 50 },
			missingFrom: null,
			limitY: null,
		});
	});

	test('draws zero as data', () => {
		expect(sparklineOf([0, 0])).toMatchObject({ path: 'M0 50L100 50', end: { x: 100, y: 50 } });
	});

	test('draws a constant in the middle', () => {
		expect(sparklineOf([7, 7, 7]).path).toBe('M0 50L50 50L100 50');
	});

	test('keeps noise flat that is small beside the least span, and draws a swing as before', () => {
		expect(sparklineOf([10, 11], { leastSpan: 10 }).path).toBe('M0 55L100 45');
		expect(sparklineOf([0, 20], { leastSpan: 10 }).path).toBe(sparklineOf([0, 20]).path);
	});

	test('draws the least and the greatest values around the line, and its scale holds them', () => {
		const band = { low: [0, 4, 4], high: [10, 8, 4] };
		expect(sparklineOf([5, 6, 4], { band })).toMatchObject({
			path: 'M0 50L50 40L100 60',
			band: 'M0 0L50 20L100 60L100 60L50 60L0 100Z',
		});
		expect(sparklineOf([5, 6], { band: { low: [5, 6], high: [5, 6] } })).toEqual(sparklineOf([5, 6]));
	});

	test('keeps a gap as a gap', () => {
		expect(sparklineOf([0, 4, null, 4, 0]).path).toBe('M0 100L25 0M75 0L100 100');
	});

	test('draws a value between two gaps as a dot', () => {
		expect(sparklineOf([0, null, 4, null, 0]).path).toBe('M0 100h0M50 0h0M100 100h0');
	});

	test('has no end and a missing part when the newest values are missing', () => {
		expect(sparklineOf([0, 4, null, null, null])).toMatchObject({ path: 'M0 100L25 0', end: null, missingFrom: 25 });
	});

	test('begins late without a missing end when the oldest values are missing', () => {
		expect(sparklineOf([null, null, 0, 4, 4])).toMatchObject({ path: 'M50 100L75 0L100 0', missingFrom: null });
	});

	test.each([{ values: [] }, { values: [null, null] }, { values: [Number.NaN, Number.POSITIVE_INFINITY] }])(
		'is missing as a whole without a value: $values',
		({ values }) => {
			expect(sparklineOf(values, { limit: 3 })).toEqual({ path: '', band: '', end: null, missingFrom: 0, limitY: null });
		},
	);

	test('draws a single value at the right edge', () => {
		expect(sparklineOf([3])).toMatchObject({ path: 'M100 50h0', end: { x: 100, y: 50 } });
	});

	test('makes room for a limit above, below and within the values', () => {
		expect(sparklineOf([0, 5], { limit: 10 })).toMatchObject({ path: 'M0 100L100 50', limitY: 0 });
		expect(sparklineOf([0, 5], { limit: -5 })).toMatchObject({ path: 'M0 50L100 0', limitY: 100 });
		expect(sparklineOf([0, 10], { limit: 2.5 })).toMatchObject({ path: 'M0 100L100 0', limitY: 75 });
	});

	test('never leaves its box, has a point for each value, and never draws what is no number', () => {
		const value = fc.oneof(fc.double(), fc.constant(null), fc.constantFrom(Number.MAX_VALUE, -Number.MAX_VALUE, 0));
		fc.assert(
			fc.property(fc.array(value, { maxLength: 70 }), fc.option(fc.double({ noNaN: true })), (values, limit) => {
				const { path, end, missingFrom } = sparklineOf(values, { limit });
				const points = [...path.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
				expect(points).toHaveLength(values.filter((one) => one !== null && Number.isFinite(one)).length);
				for (const coordinate of points.flat()) expect(coordinate >= 0 && coordinate <= 100).toBe(true);
				expect(path).not.toMatch(/NaN|Infinity|e/);
				expect(end === null).toBe(missingFrom !== null);
			}),
		);
	});

	test('has no line across two empty minutes of a variable by the minute', () => {
		const bounds = Array.from({ length: 5 }, (_, index) => index * 60_000);
		const { values } = knownWindows({ values: { own: [1, null, null, 1] }, period: { count: 1, unit: 'm' } }, bounds);
		expect(sparklineOf(values).path).toBe('M0 50h0M100 50h0');
	});

	test('has a line over empty windows only where they are no longer than the own period, whatever the values', () => {
		const minute = 60_000;
		const columns = fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })), { maxLength: 60 });
		fc.assert(
			fc.property(columns, fc.integer({ min: 1, max: 5 }), (own, count) => {
				const bounds = Array.from({ length: own.length + 1 }, (_, index) => index * minute);
				const { values } = knownWindows({ values: { own }, period: { count, unit: 'm' } }, bounds);
				for (const [index, value] of own.entries()) if (value !== null) expect(values[index]).toBe(value);
				const known = own.flatMap((value, index) => (value === null ? [] : [index]));
				const gaps = known.filter((index, place) => index - (known[place - 1] ?? index) - 1 > count).length;
				expect(sparklineOf(values).path.split('M').length - 1).toBe(known.length === 0 ? 0 : gaps + 1);
			}),
		);
	});
});
