import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exp, ln, log10, power } from '#domain/equation/elementary.ts';
import { checksumOfBits, recordedBits } from '#test/support/formula-bits.ts';

/** Returns the distance in units in the last place of the expected number. */
const ulps = (value: number, expected: number): number =>
	value === expected ? 0 : Math.abs(value - expected) / Math.max(Math.abs(expected) * Number.EPSILON, Number.MIN_VALUE);

describe('exp, ln, log10 and power', () => {
	test('give the recorded bits', { timeout: 60_000 }, () => {
		expect(checksumOfBits()).toBe(recordedBits);
	});

	test('are at most two units in the last place from those of the engine', () => {
		const positive = fc.double({ min: 5e-324, max: 1e308, noNaN: true });
		fc.assert(
			fc.property(positive, fc.double({ min: -745, max: 709, noNaN: true }), (x, exponent) => {
				expect(ulps(exp(exponent), Math.exp(exponent))).toBeLessThanOrEqual(2);
				expect(ulps(ln(x), Math.log(x))).toBeLessThanOrEqual(2);
				expect(ulps(log10(x), Math.log10(x))).toBeLessThanOrEqual(2);
			}),
			{ numRuns: 20_000 },
		);
		fc.assert(
			fc.property(fc.double({ min: 1e-3, max: 1e3, noNaN: true }), fc.double({ min: -9, max: 9, noNaN: true }), (x, p) => {
				expect(ulps(power(x, p), x ** p)).toBeLessThanOrEqual(120);
			}),
			{ numRuns: 20_000 },
		);
	});

	test('are exact where a whole number is', () => {
		for (let n = 0; n <= 22; n += 1) expect(log10(Number(`1e${n}`))).toBe(n);
		expect([exp(0), exp(-0), ln(1), power(0, 0), power(2, 10), power(-2, 3), power(9, 0.5)]).toEqual([1, 1, 0, 1, 1024, -8, 3]);
	});

	test('end where numbers end', () => {
		expect(exp(709.782712893384)).toBeLessThan(Number.POSITIVE_INFINITY);
		expect(exp(709.7827128933841)).toBe(Number.POSITIVE_INFINITY);
		expect(exp(-745.1332191019411)).toBe(5e-324);
		expect(exp(-745.1332191019412)).toBe(0);
		expect(ln(5e-324)).toBe(Math.log(5e-324));
		for (const x of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
			expect([exp(x), ln(x), log10(x), power(x, 2), power(x, 0)]).toEqual(Array(5).fill(Number.NaN));
		expect([ln(0), ln(-1), log10(0), log10(-1), power(-1, 0.5), power(-1, 0.3)]).toEqual(Array(6).fill(Number.NaN));
	});
});
