import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileEquation } from '#domain/equation/compile.ts';
import { compileIntervals } from '#domain/equation/interval.ts';
import type { Token } from '#domain/equation/token.ts';
import { combineSignals } from '#domain/totals/combine-signals.ts';
import { foldSignal } from '#domain/totals/fold-signal.ts';
import { evaluateFormulaLine, limitToCommonTime } from '#domain/totals/formula-line.ts';
import { createSignal, type Signal } from '#domain/totals/signal.ts';
import { signalValue } from '#domain/totals/signal-values.ts';
import { known, type OracleSignal } from '#test/support/totals/oracle.ts';

const hour = 3_600_000;

const tokensOf = (text: string): readonly Token[] =>
	text.split(' ').map((value) => ({
		value,
		type: /^[-+*/()]$/.test(value) ? 'operator' : /^\d/.test(value) ? 'number' : 'variable',
	}));

const hourly = (values: readonly (number | null)[]): Signal =>
	createSignal(
		Float64Array.from(values, (_, index) => index * hour),
		Float64Array.from(values, (value) => value ?? Number.NaN),
		hour,
	);

describe('combined signals', () => {
	const samples = fc
		.uniqueArray(
			fc.record({ at: fc.integer({ min: 0, max: 40 }), value: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(null)) }),
			{ selector: ({ at }) => at, maxLength: 15 },
		)
		.map((each) => each.sort((a, b) => a.at - b.at));
	const signals: fc.Arbitrary<OracleSignal> = fc.record({ samples, holdMs: fc.integer({ min: 1, max: 15 }) });

	test('are known where all are and the result is finite, at each instant', () => {
		fc.assert(
			fc.property(fc.array(signals, { minLength: 1, maxLength: 3 }), (all) => {
				const parts = all.map((each) => createSignal(...arraysOf(each), each.holdMs));
				const combined = combineSignals(parts, ([a = 0, b = 2, c = 1]) => (a * b) / c);
				for (let at = 0; at < 60; at += 1) {
					const [a, b = 2, c = 1] = all.map((each) => known(each, at));
					const quotient = a === null || a === undefined || b === null || c === null ? Number.NaN : (a * b) / c;
					const [state] = foldSignal(combined, [at, at + 1]);
					expect(state?.min?.value ?? null, `at ${at}`).toBe(Number.isFinite(quotient) ? quotient : null);
				}
			}),
			{ numRuns: 300 },
		);
	});

	const arraysOf = (signal: OracleSignal): [Float64Array, Float64Array] => [
		Float64Array.from(signal.samples, ({ at }) => at),
		Float64Array.from(signal.samples, ({ value }) => value ?? Number.NaN),
	];
});

describe('formulas over lines', () => {
	const equation = tokensOf('( in - out ) / in * 100');
	const line = (signal: Signal | undefined, range: readonly [number, number]) => {
		const [state] = signal === undefined ? [] : foldSignal(signal, [0, 4 * hour]);
		if (state === undefined) throw new Error('There is no window.');
		return signalValue('total', state, { perMs: hour, range });
	};

	test('compare the time that all lines have in common: a loss of 10 % stays 10 % when one meter is silent', () => {
		const own = { in: hourly([25, 25, 25, 25]), out: hourly([22.5, 22.5, 22.5, null]) };
		const [limitedIn, limitedOut] = limitToCommonTime([own.in, own.out]);
		const values = { in: line(limitedIn, [0, 30]).value, out: line(limitedOut, [0, 30]).value };
		const result = evaluateFormulaLine(
			compileEquation(equation),
			compileIntervals(equation),
			(name) => (name === 'in' ? values.in : values.out),
			(name) => line(name === 'in' ? own.in : own.out, [0, 30]),
		);
		expect(result.value).toBeCloseTo(10, 12);
		// The outgoing volume is between 67.5 and 97.5 of 100 m³.
		expect([result.low, result.high]).toEqual([2.5, 32.5]);
	});

	test.each([
		['a line without a value', null, 4, { low: 0, high: 2 }, { value: null, low: 0, high: 2 }],
		['a line without a bound on one side', 6, 3, { low: 0, high: null }, { value: 2, low: 0, high: null }],
		['a line without bounds', 6, 3, { low: null, high: null }, { value: 2, low: null, high: null }],
		['a divisor that may be 0', 6, 0, { low: 0, high: 1 }, { value: null, low: 0, high: 1, fault: 'division_by_zero' }],
	])('say what is missing: %s', (_, a, b, bounds, expected) => {
		const quotient = tokensOf('a / b');
		const boundsOf = (name: string) => (name === 'a' ? bounds : { low: 1, high: 1 });
		const numberOf = (name: string) => (name === 'a' ? a : b);
		expect(evaluateFormulaLine(compileEquation(quotient), compileIntervals(quotient), numberOf, boundsOf)).toEqual(expected);
	});
});
