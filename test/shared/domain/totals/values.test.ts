import { describe, expect, test } from 'vitest';
import { combineSignals } from '#domain/totals/combine-signals.ts';
import { type CounterRule, foldCounter, increaseOf } from '#domain/totals/fold-counter.ts';
import { foldSignal } from '#domain/totals/fold-signal.ts';
import { bitSignal, createSignal } from '#domain/totals/signal.ts';
import { type SignalFunction, signalValue } from '#domain/totals/signal-values.ts';
import { readVectors } from '#test/support/vectors.ts';

/** One function of one signal over one window. Times and durations are seconds. */
interface TotalCase {
	readonly reason: string;
	readonly function: SignalFunction | 'increase';
	readonly perS?: number;
	readonly holdS: number;
	readonly above?: number;
	readonly range?: readonly [number, number];
	readonly counter?: CounterRule;
	readonly samples: readonly (readonly [at: number, value: number | null])[];
	readonly window: readonly [from: number, to: number];
	readonly known: number;
	readonly value: number | null;
	readonly low: number | null;
	readonly high: number | null;
	readonly at?: number;
	readonly fault?: string;
	readonly faults?: readonly string[];
}

describe('totals', () => {
	test.each(readVectors<TotalCase>('totals'))('$function: $reason', (each) => {
		const times = Float64Array.from(each.samples, ([at]) => 1000 * at);
		const values = Float64Array.from(each.samples, ([, value]) => value ?? Number.NaN);
		const signal = createSignal(times, values, 1000 * each.holdS);
		const bounds = each.window.map((at) => 1000 * at);
		const [state] = foldSignal(signal, bounds, { above: each.above });
		const [counted] = foldCounter(signal, each.counter ?? { dip: 0 }, bounds);
		if (state === undefined || counted === undefined) throw new Error('There is no window.');
		expect(state.known).toBe(1000 * each.known);
		const rule = {
			...(each.perS === undefined ? {} : { perMs: 1000 * each.perS }),
			...(each.range === undefined ? {} : { range: each.range }),
		};
		const isIncrease = each.function === 'increase';
		const result = each.function === 'increase' ? increaseOf(counted, state.known) : signalValue(each.function, state, rule);
		expect(result).toEqual({
			value: each.value,
			low: each.low,
			high: each.high,
			...(each.at === undefined ? {} : { at: 1000 * each.at }),
			...(each.fault === undefined ? {} : { fault: each.fault }),
		});
		if (isIncrease) expect(counted.faults.map(({ code }) => code)).toEqual(each.faults ?? []);
	});
});

describe('signals', () => {
	test('keeps the order of samples of one time', () => {
		const { times, values } = createSignal(Float64Array.of(5, 3, 5, 3), Float64Array.of(1, 7, 2, 8), 60_000);
		expect([[...times], [...values]]).toEqual([
			[3, 3, 5, 5],
			[7, 8, 1, 2],
		]);
	});

	test('counts a contact that bounces within one millisecond as known, with each of its starts', () => {
		// On from 10 min to 80 min; it bounces when it closes and when it opens.
		const times = [0, 600, 600, 600, 4800, 4800, 4800].map((second) => 1000 * second);
		const signal = createSignal(Float64Array.from(times), Float64Array.of(0, 1, 0, 1, 0, 1, 0), 7_200_000);
		for (const each of [signal, combineSignals([signal], ([value = Number.NaN]) => value)]) {
			const [state] = foldSignal(each, [0, 7_200_000]);
			expect(state).toMatchObject({ known: 7_200_000, on: 4_200_000, starts: 3 });
			// A counter with noise: 1 - 0 three times, and as often -1.
			expect(foldCounter(each, { dip: 1 }, [0, 7_200_000])).toMatchObject([{ pairs: 6, faults: [], increase: { sum: 0 } }]);
			expect(foldCounter(each, { dip: 1 }, [600_000, 7_200_000])).toMatchObject([{ pairs: 3, hasBase: true }]);
		}
	});

	test('reads the bit of a byte, and nothing from a sample that is no byte', () => {
		const bytes = createSignal(Float64Array.of(0, 1, 2, 3), Float64Array.of(4, 3, 256, Number.NaN), 60_000);
		expect([...bitSignal(bytes, 2).values]).toEqual([1, 0, Number.NaN, Number.NaN]);
	});
});
