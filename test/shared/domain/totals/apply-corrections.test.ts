import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Correction } from '#domain/board/correction.ts';
import type { SourceSamples } from '#domain/ports/sample-reader.ts';
import { applyCorrections, correctedSpans } from '#domain/totals/apply-corrections.ts';
import { foldCounter, increaseOf, mergeCounterStates } from '#domain/totals/fold-counter.ts';
import { joinSources } from '#domain/totals/join-sources.ts';
import { createSignal, type Signal } from '#domain/totals/signal.ts';

const minute = 60_000;

const correction = (fields: Partial<Correction>): Correction => ({ id: 1, varId: 1, type: 'exclude', reason: 'R', ...fields });
const exclude = (from: number, to: number, id = 1) => correction({ id, from, to });
const value = (from: number, to: number, number: number, id = 1) => correction({ id, type: 'value', from, to, value: number });
const exchange = (at: number, oldFinal: number, newInitial: number, id = 1) =>
	correction({ id, type: 'exchange', at, oldFinal, newInitial });

const signalOf = (samples: readonly (readonly [time: number, value: number])[], holdMs = minute): Signal =>
	createSignal(
		Float64Array.from(samples, ([time]) => time),
		Float64Array.from(samples, ([, each]) => each),
		holdMs,
	);

/** The value of a signal at an instant by its definition; null where it is not known. */
const valueAt = ({ times, values, holdMs }: Signal, at: number): number | null => {
	const position = times.findLastIndex((time) => time <= at);
	const found = values[position] ?? Number.NaN;
	return position < 0 || Number.isNaN(found) || at >= (times[position] ?? 0) + holdMs ? null : found;
};

/** The value of a corrected signal at an instant, word for word from the rules of corrections. */
const correctedAt = (signal: Signal, corrections: readonly Correction[], at: number): number | null => {
	const covering = (time: number): Correction | undefined =>
		corrections
			.filter(({ from = 0, to = 0 }) => from <= time && time < to)
			.toSorted((a, b) => b.id - a.id)
			.at(0);
	const deciding = covering(at);
	if (deciding !== undefined) return deciding.type === 'value' ? (deciding.value ?? null) : null;
	const endOfLast = Math.max(...corrections.map(({ to = 0 }) => (to <= at ? to : Number.NEGATIVE_INFINITY)));
	const position = signal.times.findLastIndex((time) => time <= at && covering(time) === undefined);
	const time = signal.times[position] ?? Number.NEGATIVE_INFINITY;
	return time < endOfLast ? null : valueAt(signal, at);
};

const second = fc.integer({ min: 0, max: 600 }).map((each) => each * 1000);
const samples = fc
	.uniqueArray(second, { maxLength: 30 })
	.chain((times) =>
		fc.tuple(
			...times.map((time) => fc.tuple(fc.constant(time), fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant(Number.NaN)))),
		),
	);
const covers = fc
	.array(fc.record({ from: second, length: second, number: fc.option(fc.integer({ min: 10, max: 19 })) }), { maxLength: 6 })
	.map((each) =>
		each.map(({ from, length, number }, index) =>
			number === null ? exclude(from, from + length + 1000, index + 1) : value(from, from + length + 1000, number, index + 1),
		),
	);

describe('applyCorrections', () => {
	test('is at each instant what the rules say, in 20,000 random cases', () => {
		fc.assert(
			fc.property(
				samples,
				covers,
				fc.array(fc.integer({ min: 0, max: 1300 }), { minLength: 20, maxLength: 20 }),
				(own, applied, halves) => {
					const signal = signalOf(own);
					const corrected = applyCorrections(signal, applied, { isCounter: false });
					for (const half of halves) expect(valueAt(corrected, half * 500)).toBe(correctedAt(signal, applied, half * 500));
				},
			),
			{ numRuns: 20_000 },
		);
	});

	test('keeps times strictly ascending, in any order of corrections', () => {
		fc.assert(
			fc.property(samples, covers, fc.nat(), (own, applied, turn) => {
				const signal = signalOf(own);
				const rotated = [...applied.slice(turn % (applied.length + 1)), ...applied.slice(0, turn % (applied.length + 1))];
				const { times, values } = applyCorrections(signal, applied, { isCounter: true });
				expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).toBe(true);
				expect(applyCorrections(signal, rotated, { isCounter: true })).toEqual({
					times,
					values,
					holdMs: applied.length === 0 ? minute : Number.POSITIVE_INFINITY,
				});
			}),
		);
	});

	test('without corrections is the same signal', () => {
		const signal = signalOf([[0, 1]]);
		expect(applyCorrections(signal, [], { isCounter: true })).toBe(signal);
		expect(applyCorrections(signal, [exchange(0, 5, 0)], { isCounter: false })).toBe(signal);
	});
});

describe('an exchange of a meter', () => {
	const increase = (own: readonly (readonly [number, number])[], applied: readonly Correction[], bounds: readonly number[]) =>
		foldCounter(applyCorrections(signalOf(own), applied, { isCounter: true }), { dip: 0 }, bounds).map(
			(state) => increaseOf(state, 1).value,
		);

	test('counts to the last reading of the old meter, and from the first one of the new', () => {
		const own = [
			[0, 990],
			[minute, 995],
			[3 * minute, 2],
			[4 * minute, 7],
		] as const;
		expect(increase(own, [], [0, 5 * minute])).toEqual([null]);
		expect(increase(own, [exchange(2 * minute, 998, 0)], [0, 5 * minute])).toEqual([5 + 3 + 2 + 5]);
		// The old meter's part belongs to the window in which it was replaced.
		expect(increase(own, [exchange(2 * minute, 998, 0)], [0, 2 * minute, 5 * minute])).toEqual([8, 7]);
	});

	test('of two at one time the higher id counts, and exchanges add up', () => {
		const own = [
			[0, 10],
			[2 * minute, 1],
			[4 * minute, 100],
		] as const;
		const twice = [exchange(minute, 99, 0, 1), exchange(minute, 12, 0, 2), exchange(3 * minute, 5, 90, 3)];
		expect(increase(own, twice, [0, 5 * minute])).toEqual([2 + 1 + 4 + 10]);
	});

	test('a reading by hand counts as a reading of the meter that hangs there then', () => {
		const own = [
			[0, 990],
			[4 * minute, 9],
		] as const;
		const applied = [exchange(minute, 1000, 0, 1), value(2 * minute, 3 * minute, 4, 2)];
		expect(increase(own, applied, [0, 2 * minute, 5 * minute])).toEqual([14, 5]);
	});
});

describe('an exchange of a meter whose readings come from another source', () => {
	type Readings = readonly (readonly [time: number, value: number])[];
	const sourceOf = (unit: string, readings: Readings): SourceSamples => ({
		tags: [['unit', unit]],
		times: Float64Array.from(readings, ([time]) => time),
		values: Float64Array.from(readings, ([, each]) => each),
	});
	const states = (
		old: Readings,
		new_: Readings,
		applied: readonly Correction[],
		bounds: readonly number[],
		holdMs = 10 * minute,
	) => {
		const { signal } = joinSources([sourceOf('1', old), sourceOf('2', new_)], 0, holdMs);
		return foldCounter(applyCorrections(signal, applied, { isCounter: true }), { dip: 0 }, bounds);
	};
	const increases = (...parameters: Parameters<typeof states>) => states(...parameters).map((state) => increaseOf(state, 1));
	const old: Readings = [
		[0, 990],
		[minute, 995],
	];
	const new_: Readings = [
		[13 * minute, 2],
		[14 * minute, 7],
	];
	const [at, stop] = [2 * minute, 15 * minute];

	test('counts the difference that the exchange tells, up to the same bound as one of a single source', () => {
		expect(increases(old, new_, [], [0, stop])).toEqual([{ value: 5 + 5, low: 10, high: null }]);
		expect(increases(old, new_, [exchange(at, 998, 0)], [0, stop])).toEqual([{ value: 5 + 3 + 2 + 5, low: 15, high: 15 }]);
		const single = foldCounter(
			applyCorrections(signalOf([...old, ...new_], 10 * minute), [exchange(at, 998, 0)], { isCounter: true }),
			{ dip: 0 },
			[0, stop],
		);
		expect(single.map((state) => increaseOf(state, 1))).toEqual([{ value: 15, low: 15, high: 15 }]);
	});

	test.each([
		['at the first reading of the new meter', 13 * minute, 5 + 3 + 7],
		['a millisecond before it', 13 * minute - 1, 5 + 3 + 2 + 5],
		['a millisecond after the last one of the old', minute + 1, 5 + 3 + 2 + 5],
	])('counts it where the exchange is %s', (_, time, expected) => {
		expect(increases(old, new_, [exchange(time, 998, 0)], [0, stop])).toMatchObject([{ value: expected, high: expected }]);
	});

	test('counts it where the new meter sends before the old one is out of its hold', () => {
		const early: Readings = [
			[3 * minute, 1],
			[12 * minute, 2],
		];
		expect(increases(old, early, [exchange(at, 998, 0)], [0, stop])).toMatchObject([{ value: 5 + 3 + 2 }]);
	});

	test.each([
		['before the last reading of the old meter', [exchange(minute - 1, 992, 992)]],
		['after the first reading of the new one', [exchange(13 * minute + 1, 2, 2)]],
		['under another correction', [exchange(at, 998, 0), exclude(at - 1, at + 1, 2)]],
		['followed by a reading by hand', [exchange(at, 998, 0), value(at + 1, at + 2, 1, 2)]],
	])('leaves the handover where the exchange is %s', (_, applied) => {
		expect(increases(old, new_, applied, [0, stop])).toMatchObject([{ high: null }]);
	});

	test('adds up where the time is cut at windows, and is what the meters counted: 500 meters', () => {
		const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 50 })), {
			minLength: 1,
			maxLength: 8,
		});
		const drawn = fc.record({
			before: steps,
			after: steps,
			gaps: fc.tuple(fc.nat(30), fc.nat(30)),
			first: fc.nat(900),
			initial: fc.nat(9),
		});
		fc.assert(
			fc.property(drawn, fc.array(fc.nat(600), { maxLength: 4 }), ({ before, after, gaps, first, initial }, cuts) => {
				const readingsOf = (from: number, value: number, all: typeof before): [number, number][] => {
					let [time, reading] = [from, value];
					return all.map(([step, advance]) => {
						time += step;
						reading += advance;
						return [time * 1000, reading];
					});
				};
				const olds = readingsOf(0, first, before);
				const [lastTime, last] = olds.at(-1) ?? expect.unreachable();
				const exchangedAt = lastTime + 1 + gaps[0] * 1000;
				const news = readingsOf((exchangedAt - 1) / 1000 + 1 + gaps[1], initial, after);
				const applied = [exchange(exchangedAt, last + 4, initial)];
				const bounds = [...new Set([0, ...cuts.map((cut) => cut * 1000), 1_000_000])].sort((a, b) => a - b);
				const end = news.at(-1)?.[1] ?? 0;
				const counted = last + 4 - (olds[0]?.[1] ?? 0) + (end - initial);
				// A short hold, so that the sources are never known at once.
				const cut = states(olds, news, applied, bounds, 1000);
				expect(increaseOf(cut.reduce(mergeCounterStates), 1)).toMatchObject({ value: counted });
				const [whole] = states(olds, news, applied, [0, 1_000_000], 1000);
				expect(cut.reduce(mergeCounterStates)).toEqual(whole);
				expect(whole?.isHandedOver).toBeUndefined();
			}),
			{ numRuns: 500 },
		);
	});
});

test('10,000 corrections over each other are cut in about the time of their sorting', () => {
	const nested = Array.from({ length: 10_000 }, (_, index) => exclude(index * 1000, (20_000 - index) * 1000 + 1000, index + 1));
	const spans = correctedSpans(nested);
	expect(spans).toHaveLength(19_999);
	expect(spans.every(({ start }, index) => index === 0 || start === spans[index - 1]?.stop)).toBe(true);
});
