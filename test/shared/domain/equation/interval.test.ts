import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileEquation } from '#domain/equation/compile.ts';
import { compileIntervals, type Interval } from '#domain/equation/interval.ts';
import { formulas, operandValues, tokensOf } from '#test/support/builders/equations.ts';
import { casesOf, firstSeed } from '#test/support/cases.ts';
import { hasWaterVectors, readWaterVectors } from '#test/support/vectors.ts';

type Pair = readonly [low: number | null, high: number | null];
const intervalOf = ([low, high]: Pair): Interval => ({ low, high });

describe('compileIntervals', () => {
	const quotient = compileIntervals(tokensOf('a / b'));

	test.each<readonly [reason: string, a: Pair, b: Pair, expected: Pair]>([
		['a divisor away from 0', [1, 2], [0.5, 1], [1, 4]],
		['a divisor that begins at 0', [600, 600], [0, 1200], [0.5, null]],
		['a divisor that ends at 0', [600, 600], [-1200, 0], [null, -0.5]],
		['a divisor that begins at the other 0', [600, 600], [-0, 1200], [0.5, null]],
		['a negative dividend over one that begins at 0', [-700, -600], [0, 1200], [null, -0.5]],
		['a dividend of both signs over one that begins at 0', [-5, 5], [0, 2], [null, null]],
		['nothing over one that begins at 0', [0, 0], [0, 1200], [0, 0]],
		['a dividend that begins at 0, over one that begins at 0', [0, 5], [0, 2], [0, null]],
		['a divisor with 0 inside', [600, 700], [-10, 1200], [null, null]],
		['a divisor of 0', [600, 700], [0, 0], [null, null]],
		['a divisor without an upper bound', [600, 700], [2, null], [0, 350]],
		['a divisor of which only the sign is known', [600, 700], [0, null], [0, null]],
		['a divisor of which nothing is known', [600, 700], [null, null], [null, null]],
		['a dividend without an upper bound', [600, null], [2, 3], [200, null]],
		['both without an upper bound', [1, null], [1, null], [0, null]],
		['bounds beyond numbers', [1, 1e300], [1e-300, 1], [1, null]],
	])('of %s', (_, a, b, expected) => {
		expect(quotient.evaluate([a, b].map(intervalOf))).toEqual(intervalOf(expected));
	});

	test.each<readonly [text: string, a: Pair, b: Pair, expected: Pair]>([
		['a + b', [1, null], [2, 3], [3, null]],
		['a - b', [1, null], [2, 3], [-2, null]],
		['a - b', [1, 2], [2, null], [null, 0]],
		['a - b', [1, null], [2, null], [null, null]],
		['a * b', [0, 5], [1, null], [0, null]],
		['a * b', [-1, 5], [1, null], [null, null]],
		['a * b', [null, -1], [null, -2], [2, null]],
		['a + b', [1e308, 1.5e308], [1e308, 1e308], [null, null]],
		['a - a + b', [null, null], [2, 3], [null, null]],
	])('of %s', (text, a, b, expected) => {
		const { names, evaluate } = compileIntervals(tokensOf(text));
		expect(evaluate(names.map((name) => intervalOf(name === 'a' ? a : b)))).toEqual(intervalOf(expected));
	});

	const points = casesOf(10_000);
	test(`holds the value of a random formula for operands within theirs, bounded on both sides, one or none: ${points} points`, {
		timeout: 20_000 + points,
	}, () => {
		const count = { inside: 0, low: 0, high: 0, oneSided: 0, noValue: 0 };
		const side = fc.oneof({ weight: 3, arbitrary: operandValues }, fc.constant(null));
		const operand = fc.tuple(operandValues, side, side).map(([value, a, b]) => {
			const low = a === null ? null : Math.min(a, value);
			return { value, low, high: b === null ? null : Math.max(b, value) };
		});
		// Plant numbers meet 0 at an end of an interval more often than random floats do.
		const plantSide = fc.constantFrom(0, 1, 3, null);
		const plantOperand = fc.tuple(fc.integer({ min: -4, max: 4 }), plantSide, plantSide).map(([value, below, above]) => ({
			value,
			low: below === null ? null : value - below,
			high: above === null ? null : value + above,
		}));
		fc.assert(
			fc.property(
				formulas,
				fc.oneof(
					fc.array(fc.array(plantOperand, { minLength: 7, maxLength: 7 }), { minLength: 10, maxLength: 10 }),
					fc.array(fc.array(operand, { minLength: 7, maxLength: 7 }), { minLength: 10, maxLength: 10 }),
				),
				({ tokens }, rows) => {
					const compiled = compileEquation(tokens);
					const { names, evaluate } = compileIntervals(tokens);
					for (const operands of rows) {
						const { low, high } = evaluate(names.map((_, slot) => operands[slot] ?? { low: null, high: null }));
						expect([low, high]).not.toContain(Number.NaN);
						const slots = compiled.createSlots();
						for (const slot of names.keys()) slots[slot] = operands[slot]?.value ?? Number.NaN;
						const value = compiled.evaluate(slots);
						if (!Number.isFinite(value)) {
							count.noValue += 1;
							continue;
						}
						// Rounding is monotone, so the bounds hold the rounded value, too.
						if (low !== null && low > value) expect.fail(`${value} is below ${low}`);
						if (high !== null && high < value) expect.fail(`${value} is above ${high}`);
						count.inside += 1;
						if (low !== null) count.low += 1;
						if (high !== null) count.high += 1;
						if ((low === null) !== (high === null)) count.oneSided += 1;
					}
				},
			),
			{ numRuns: points / 10, seed: firstSeed },
		);
		expect(count.inside + count.noValue).toBe(points);
		expect(Math.min(count.low, count.high)).toBeGreaterThan(points / 10);
		expect(count.oneSided).toBeGreaterThan(points / 50);
	});

	test.skipIf(!hasWaterVectors)('gives the bounds of the handbook’s quotients (skipped where the handbook is absent)', () => {
		const cases = readWaterVectors<{ id: string; dividend: Pair; divisor: Pair; expect: Interval }>('Q1');
		expect(cases.length).toBeGreaterThan(0);
		for (const { id, dividend, divisor, expect: expected } of cases)
			expect(quotient.evaluate([dividend, divisor].map(intervalOf)), id).toEqual(expected);
	});
});
