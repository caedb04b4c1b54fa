import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundsOf } from '#domain/calendar/bounds.ts';
import { openTimeZone } from '#domain/calendar/time-zone.ts';
import { valueOfSum } from '#domain/totals/exact-sum.ts';
import { foldCounter, increaseOf, mergeCounterStates } from '#domain/totals/fold-counter.ts';
import { foldSignal, mergeSignalStates } from '#domain/totals/fold-signal.ts';
import { createSignal, type Signal } from '#domain/totals/signal.ts';
import { type BoundedValue, signalFunctions, signalValue } from '#domain/totals/signal-values.ts';
import { durationOf } from '#domain/variable/duration.ts';
import { firstSeed } from '../cases.ts';
import { counterOracle, known, type OracleSignal, oracle } from './oracle.ts';

/** Compares the fold with an oracle, and holds its laws, on random signals. */
export function foldSuite(cases: number): void {
	const parameters = { numRuns: cases, seed: firstSeed };
	const timeout = 20_000 + cases * 10;

	test(`tells what an oracle tells millisecond by millisecond: ${cases} signals`, { timeout }, () => {
		fc.assert(
			fc.property(signals, windows, limits, (signal, bounds, above) => {
				const states = foldSignal(signalOf(signal), bounds, { above });
				const expected = pairwise(bounds).map(([from, to]) => oracle(signal, from, to, above));
				expect(states.map((state) => ({ ...state, integral: valueOfSum(state.integral) }))).toEqual(expected);
			}),
			parameters,
		);
	});

	test(`counts what an oracle counts: ${cases} counters`, { timeout }, () => {
		fc.assert(
			fc.property(signals, windows, counterRules, (signal, bounds, rule) => {
				const states = foldCounter(signalOf(signal), rule, bounds);
				const expected = pairwise(bounds).map(([from, to]) => counterOracle(signal, rule, from, to));
				expect(states.map((state) => ({ ...state, increase: valueOfSum(state.increase) }))).toEqual(expected);
			}),
			parameters,
		);
	});

	test(`merges windows to the window that covers them: ${cases} signals`, { timeout }, () => {
		fc.assert(
			fc.property(signals, windows, limits, counterRules, (signal, bounds, above, rule) => {
				const whole = [bounds[0] ?? 0, bounds.at(-1) ?? 0];
				const merged = foldSignal(signalOf(signal), bounds, { above }).reduce(mergeSignalStates);
				expect([merged]).toEqual(foldSignal(signalOf(signal), whole, { above }));
				const counted = foldCounter(signalOf(signal), rule, bounds).reduce(mergeCounterStates);
				expect([counted]).toEqual(foldCounter(signalOf(signal), rule, whole));
			}),
			parameters,
		);
	});

	test(`does not depend on the order of samples, or on repeated ones: ${cases} signals`, { timeout }, () => {
		fc.assert(
			fc.property(signals, fc.array(fc.nat(), { maxLength: 20 }), fc.nat(), windows, (signal, repeated, turn, bounds) => {
				const { samples } = signal;
				const more = samples.length === 0 ? [] : repeated.flatMap((index) => samples[index % samples.length] ?? []);
				const mixed = [...more, ...samples.slice(turn % (samples.length + 1)), ...samples].reverse();
				expect(foldSignal(signalOf({ ...signal, samples: mixed }), bounds)).toEqual(foldSignal(signalOf(signal), bounds));
			}),
			parameters,
		);
	});

	test(`bounds the truth, whatever the signal was while it was unknown: ${cases} signals`, { timeout }, () => {
		let bounded = 0;
		fc.assert(
			fc.property(
				signals,
				windows,
				limits,
				fc.infiniteStream(fc.integer({ min: -4, max: 4 })),
				(signal, bounds, above, unseen) => {
					const truth = Array.from({ length: lastTick + 1 }, (_, at) => ({
						at,
						value: known(signal, at) ?? unseen.next().value ?? 0,
					}));
					const full = foldSignal(signalOf({ samples: truth, holdMs: 1 }), bounds, { above });
					for (const [index, state] of foldSignal(signalOf(signal), bounds, { above }).entries())
						for (const name of names) {
							const actual = full[index] === undefined ? null : signalValue(name, full[index], rule).value;
							bounded += expectWithin(actual, signalValue(name, state, rule), `${name} of window ${index}`);
						}
				},
			),
			parameters,
		);
		expect(bounded).toBeGreaterThan(cases * 5);
	});

	test(`bounds what a counter truly advanced, whatever is missing: ${cases} counters`, { timeout }, () => {
		let bounded = 0;
		fc.assert(
			fc.property(counters, windows, ({ truth, kept, holdMs, size }, bounds) => {
				const samples = kept.map((at) => ({ at, value: (truth[at] ?? 0) % size }));
				const signal = signalOf({ samples, holdMs });
				const states = foldCounter(signal, { size, dip: 0 }, bounds);
				const knownIn = foldSignal(signal, bounds);
				for (const [index, state] of states.entries()) {
					const [from = 0, to = 0] = [bounds[index], bounds[index + 1]];
					const actual = (truth[to] ?? 0) - (truth[from] ?? 0);
					bounded += expectWithin(actual, increaseOf(state, knownIn[index]?.known ?? 0), `window ${index}`);
				}
			}),
			parameters,
		);
		expect(bounded).toBeGreaterThan(cases / 2);
	});

	test('sums days to months, also where the clock changes', () => {
		const zone = openTimeZone('Europe/Madrid');
		const [day, month] = [durationOf(1, 'd'), durationOf(1, 'mo')];
		if (zone === null || 'code' in day || 'code' in month) throw new Error('The calendar is missing.');
		for (const [start, stop] of [
			['2026-02-28T23:00:00Z', '2026-03-31T22:00:00Z'],
			['2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z'],
		] as const) {
			const range = { start: Date.parse(start), stop: Date.parse(stop) };
			const calendar = { zone, dayStartMs: 0 };
			const days = boundsOf(range, day, calendar);
			const hours = new Set(pairwise(days).map(([from, to]) => (to - from) / 3_600_000));
			expect(hours.size).toBe(2);
			fc.assert(
				fc.property(
					fc.array(fc.tuple(fc.integer({ min: -9, max: 800 }), fc.double({ min: -1e6, max: 1e6, noNaN: true }))),
					(drawn) => {
						const samples = drawn.map(([hour, value]) => ({ at: range.start + hour * 3_600_000, value }));
						const signal = signalOf({ samples, holdMs: 5_400_000 });
						const merged = foldSignal(signal, days, { above: 0 }).reduce(mergeSignalStates);
						const [direct] = foldSignal(signal, boundsOf(range, month, calendar), { above: 0 });
						if (direct === undefined) throw new Error('The month has no window.');
						expect({ ...merged, integral: null }).toEqual({ ...direct, integral: null });
						const magnitudes = samples.reduce((sum, { value }) => sum + Math.abs(value) * signal.holdMs, 1);
						expect(Math.abs(valueOfSum(merged.integral) - valueOfSum(direct.integral)) / magnitudes).toBeLessThan(1e-12);
					},
				),
				{ numRuns: Math.ceil(cases / 20), seed: firstSeed },
			);
		}
	});
}

const lastTick = 60;
const rule = { perMs: 7, range: [-4, 4] } as const;
const names = Object.keys(signalFunctions).filter((name): name is keyof typeof signalFunctions => name in signalFunctions);

const samplesOfCases = fc
	.uniqueArray(
		fc.record({
			at: fc.integer({ min: 0, max: lastTick }),
			value: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: -4, max: 4 }) }, fc.constant(null)),
		}),
		{ selector: ({ at }) => at, maxLength: 30 },
	)
	.map((samples) => samples.sort((a, b) => a.at - b.at));
const signals: fc.Arbitrary<OracleSignal> = fc.record({ samples: samplesOfCases, holdMs: fc.integer({ min: 1, max: 20 }) });
const windows = fc
	.uniqueArray(fc.integer({ min: 0, max: lastTick }), { minLength: 2, maxLength: 8 })
	.map((bounds) => bounds.sort((a, b) => a - b));
const limits = fc.constantFrom(undefined, 0, 1.5, -2);
const counterRules = fc.constantFrom({ dip: 0 }, { dip: 2 }, { size: 10, dip: 0 }, { size: 30, dip: 1 }, { size: 60, dip: 2 });

/** A counter that advances only while nobody looks: by less than a tenth of a turn between two kept readings. */
const counters = fc
	.record({
		kept: fc.uniqueArray(fc.integer({ min: 0, max: lastTick }), { minLength: 1, maxLength: 20 }),
		steps: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: lastTick + 1, maxLength: lastTick + 1 }),
		holdMs: fc.integer({ min: 1, max: 20 }),
		start: fc.nat(1199),
	})
	.map(({ kept, steps, holdMs, start }) => {
		const readings = kept.sort((a, b) => a - b);
		let reached = start;
		const truth = steps.map((step, at) => {
			const newest = readings.filter((each) => each < at).at(-1);
			const isSeen = readings.includes(at) || newest === undefined || at >= newest + holdMs;
			if (isSeen) reached += step;
			return reached;
		});
		return { truth, kept: readings, holdMs, size: 1210 };
	});

function signalOf({ samples, holdMs }: OracleSignal): Signal {
	const values = samples.map(({ value }) => value ?? Number.NaN);
	return createSignal(
		Float64Array.from(samples, ({ at }) => at),
		Float64Array.from(values),
		holdMs,
	);
}

const pairwise = (bounds: readonly number[]): readonly (readonly [number, number])[] =>
	bounds.slice(1).map((to, index) => [bounds[index] ?? to, to]);

/** Returns the number of bounds that were held. Means are quotients of sums in two orders. */
function expectWithin(actual: number | null, { low, high }: BoundedValue, name: string): number {
	if (actual === null) throw new Error(`The truth of ${name} is unknown.`);
	if (low !== null) expect(low, `low of ${name}`).toBeLessThanOrEqual(actual + 1e-9);
	if (high !== null) expect(high, `high of ${name}`).toBeGreaterThanOrEqual(actual - 1e-9);
	return (low === null ? 0 : 1) + (high === null ? 0 : 1);
}
