import { describe, expect, test } from 'vitest';
import { compileEquation } from '#domain/equation/compile.ts';
import { foldSignal } from '#domain/totals/fold-signal.ts';
import { ownHoldMs, type QuerySamples, signalOfVariable } from '#domain/totals/variable-signal.ts';
import type { Query } from '#domain/variable/query.ts';
import { makeQuery } from '#test/support/builders/builders.ts';
import { tokensOf } from '#test/support/builders/equations.ts';

const read = (
	name: string,
	samples: readonly (readonly [second: number, value: number])[],
	query: Partial<Query> = {},
): QuerySamples => ({
	name,
	query: makeQuery(query),
	samples: [
		{
			tags: [],
			times: Float64Array.from(samples, ([second]) => 1000 * second),
			values: Float64Array.from(samples, ([, value]) => value),
		},
	],
	from: 0,
});
/** The known seconds of a signal in [0, 1 h), and its integral over them in the signal's unit times seconds. */
const foldedHour = (...parameters: Parameters<typeof signalOfVariable>) => {
	const [state] = foldSignal(signalOfVariable(...parameters).signal, [0, 3_600_000]);
	return [(state?.known ?? 0) / 1000, (state?.integral.sum ?? 0) / 1000];
};
const sum = compileEquation(tokensOf('2 * a + b'));

describe('ownHoldMs', () => {
	test.each([
		[29, 's', 60_000],
		[30, 's', 60_000],
		[31, 's', 62_000],
		[15, 'm', 1_800_000],
		[1, 'd', 172_800_000],
	] as const)('of a query with a period of %d %s is two periods, and a minute at least', (calc_period, calc_unit_period, ms) => {
		expect(ownHoldMs(makeQuery({ calc_period, calc_unit_period }))).toBe(ms);
	});

	test('is unknown where the query is of windows', () => {
		expect(ownHoldMs(makeQuery({ calc_type_period: 'mean' }))).toBeNull();
	});
});

describe('signalOfVariable', () => {
	test('holds each sample for two own periods, or for as long as it is told', () => {
		const flow = [read('Flow', [[0, 10]], { calc_period: 5 })];
		expect(foldedHour(flow, {})).toEqual([600, 6000]);
		expect(foldedHour(flow, { holdMs: 900_000 })).toEqual([900, 9000]);
	});

	test('refuses a query of windows without a hold, and a variable of which nothing was read', () => {
		const mean = [read('Flow', [[0, 10]], { calc_type_period: 'mean' })];
		expect(() => signalOfVariable(mean, {})).toThrow(RangeError);
		expect(foldedHour(mean, { holdMs: 60_000 })).toEqual([60, 600]);
		expect(() => signalOfVariable([], {})).toThrow(RangeError);
		expect(() => signalOfVariable([read('a', [[0, 1]])], { equation: sum })).toThrow(RangeError);
	});

	test('evaluates a formula over the signals of its inputs, while all of them are known for their own hold', () => {
		const [a, b] = [read('a', [[0, 1]], { calc_period: 10 }), read('b', [[600, 3]], { calc_period: 5 })];
		// Known from 600 s until 1,200 s, as 2 * 1 + 3.
		expect(foldedHour([b, a], { equation: sum })).toEqual([600, 3000]);
		expect(foldedHour([b, a], { equation: sum, holdMs: 900_000 })).toEqual([300, 1500]);
		const quotient = compileEquation(tokensOf('a / ( b - 3 )'));
		expect(foldedHour([a, b], { equation: quotient })).toEqual([0, 0]);
	});

	test('is known where the formula needs no input that is unknown', () => {
		const closed = compileEquation(tokensOf('if ( a = 0 , 5 , b )'));
		const [a, b] = [
			read(
				'a',
				[
					[0, 0],
					[300, 1],
				],
				{ calc_period: 5 },
			),
			read('b', [[600, 3]], { calc_period: 5 }),
		];
		// 5 while a is 0, until 300 s; b from 600 s, until a is not known any more at 900 s.
		expect(foldedHour([a, b], { equation: closed })).toEqual([600, 300 * 5 + 300 * 3]);
	});

	test('takes a bit after the byte was rewritten', () => {
		const pumps = [
			read('Pumps', [
				[0, 3],
				[60, 1],
				[120, 0],
			]),
		];
		expect(foldedHour(pumps, { bit: 0 })).toEqual([240, 120]);
		expect(foldedHour(pumps, { bit: 1 })).toEqual([240, 60]);
		const rewritten = signalOfVariable(pumps, {
			bit: 1,
			rewrite: (signal) => ({ ...signal, values: signal.values.map((value) => (value === 0 ? 2 : value)) }),
		});
		expect([...rewritten.signal.values]).toEqual([1, 0, 1]);
	});
});
