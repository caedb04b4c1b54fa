import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { decimalsOf } from '#page/core/decimals.ts';
import { language, numberStyle } from '#page/core/preferences.ts';
import { formatExact, formatNumber } from '#page/format/number.ts';

afterEach(() => {
	language.value = 'en';
	numberStyle.value = 'region';
});

describe('formatNumber', () => {
	test.each([
		[1664, 0, '1\u202f664'],
		[999, 0, '999'],
		[1_234_567.891, 1, '1\u202f234\u202f567.9'],
		[0, 1, '0.0'],
		[-0.04, 1, '0.0'],
		[-1234.5, 1, '-1\u202f234.5'],
		[3.8, 2, '3.80'],
		[1e15, 0, '1.000e+15'],
	])('shows %d with %d decimals as %s', (value, decimals, expected) => {
		expect(formatNumber(value, { decimals })).toBe(expected);
	});

	test('has the sign that a person chose, whatever the language', () => {
		language.value = 'es';
		numberStyle.value = '.';
		expect([formatNumber(1664.5, { decimals: 1 }), formatExact(0.5)]).toEqual(['1\u202f664.5', '0.5']);
		language.value = 'en';
		numberStyle.value = ',';
		expect(formatNumber(1e15, { decimals: 1 })).toBe('1,000e+15');
		expect(formatNumber(1664.5, { decimals: 1 })).toBe('1\u202f664,5');
		expect(formatExact(0.5)).toBe('0,5');
	});

	test('shows the number to half of its last decimal', () => {
		fc.assert(
			fc.property(fc.double({ min: -1e11, max: 1e11, noNaN: true }), fc.integer({ min: 0, max: 5 }), (value, decimals) => {
				const shown = Number(formatNumber(value, { decimals }).replaceAll('\u202f', ''));
				expect(Math.abs(shown - value)).toBeLessThanOrEqual(0.5 * 10 ** -decimals * (1 + 1e-9) + Math.abs(value) * 1e-15);
			}),
		);
	});

	test('never shows a value as zero when six or more decimals are too few for it', () => {
		expect(formatNumber(1e-9, { decimals: 6 })).toBe('1.000e-9');
		expect(formatNumber(-1.5e-9, { decimals: 9 })).toBe('-1.500e-9');
		expect(formatNumber(0.000123, { decimals: 6 })).toBe('0.000123');
	});
});

describe('decimalsOf', () => {
	test.each([
		[[], 2],
		[[null], 2],
		[[1, 2, 3], 0],
		[[0], 2],
		[[258.314, 0], 1],
		[[258.31, 0], 2],
		[[9.99], 2],
		[[10.5], 1],
		[[1663.714], 0],
		[[1663.7], 1],
		[[0.1], 2],
		[[0.05], 4],
	])('of %j are %d', (values, expected) => {
		expect(decimalsOf(values)).toBe(expected);
	});
});
