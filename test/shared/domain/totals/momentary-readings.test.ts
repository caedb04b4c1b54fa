import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CounterRule, increaseOf, mergeCounterStates } from '#domain/totals/fold-counter.ts';
import { statesOfCounter } from '#domain/totals/line-state.ts';
import { doubtfulReadings, momentaryReachMs } from '#domain/totals/momentary-readings.ts';
import { createSignal, type Signal } from '#domain/totals/signal.ts';
import { casesOf, firstSeed } from '#test/support/cases.ts';

const minuteMs = 60_000;

const signalOf = (samples: readonly (readonly [minute: number, value: number])[], holdMinutes = 30): Signal =>
	createSignal(
		Float64Array.from(samples, ([minute]) => minute * minuteMs),
		Float64Array.from(samples, ([, value]) => value),
		holdMinutes * minuteMs,
	);
const minutes = (...list: readonly number[]): readonly number[] => list.map((minute) => minute * minuteMs);
const increasesOf = (signal: Signal, rule: CounterRule, bounds: readonly number[]) =>
	statesOfCounter(signal, rule, bounds).map(({ counter, signal: { known } }) => increaseOf(counter, known).value);
const every10 = (...values: readonly number[]): Signal => signalOf(values.map((value, index) => [10 * index, value]));

describe('momentary readings', () => {
	const sized: CounterRule = { size: 100_000, dip: 0 };
	const plain: CounterRule = { dip: 0 };

	/** Readings at 0, 10, 20 … minutes, and windows of 10 minutes: each has one difference. */
	test.each<readonly [reason: string, rule: CounterRule, readings: readonly number[], increases: readonly (number | null)[]]>([
		['a turn counts', sized, [99_980, 99_990, 5, 12], [10, 15, 7]],
		['a turn that no reading follows counts', sized, [99_980, 99_990, 5], [10, 15]],
		['0 is no turn', sized, [99_980, 99_990, 0, 99_992, 99_999], [10, null, null, 7]],
		['0 twice is no turn', sized, [99_980, 99_990, 0, 0, 99_992, 99_999], [10, null, null, null, 7]],
		['0 and full scale are no turn', sized, [99_970, 99_980, 0, 99_999, 99_990, 99_995], [10, null, null, null, 5]],
		['0 of a counter that has just turned is no advance', sized, [4990, 5000, 0, 5003, 5004], [10, null, null, 1]],
		['full scale is no turn', sized, [40, 50, 99_999, 52, 60], [10, null, null, 8]],
		['full scale within a tenth is no advance', sized, [91_000, 91_010, 99_999, 91_030, 91_040], [10, null, null, 10]],
		['a turn before a meter that was exchanged is in doubt', sized, [99_980, 99_990, 0, 50_000, 50_010], [10, null, null, 10]],
		[
			'a turn behind readings of a fault is no advance of theirs',
			sized,
			[98_880, 98_890, 91_000, 91_000, 3, 10],
			[10, null, null, null, 7],
		],
		['an exchange is one fault, and the new meter counts', sized, [60_000, 60_010, 0, 10, 25], [10, null, 10, 15]],
		['a jump is one fault', sized, [1100, 1500, 60_000, 60_010], [400, null, 10]],
		['without a size, 0 is no advance', plain, [59_990, 60_000, 0, 60_001, 60_004], [10, null, null, 3]],
		['without a size, 0 twice is none', plain, [59_990, 60_000, 0, 0, 60_001], [10, null, null, null]],
		['without a size, a peak is no advance', plain, [490, 500, 99_999, 501, 502], [10, null, null, 1]],
		['without a size, a peak and 0 are none', plain, [490, 500, 99_999, 0, 501, 502], [10, null, null, null, 1]],
		['without a size, an exchange is one fault', plain, [490, 500, 0, 20, 45], [10, null, 20, 25]],
		['noise beyond the dip puts both of its readings in doubt', { dip: 1 }, [90, 97, 95, 97, 99], [null, null, null, 2]],
	])('%s', (_, rule, readings, increases) => {
		const bounds = minutes(...readings.map((__, index) => 10 * index));
		expect(increasesOf(every10(...readings), rule, bounds)).toEqual(increases);
	});

	test.each([
		['two hours', 120, [null, null]],
		['more than two hours', 121, [10, null]],
	])('last for %s at most', (_, minute, increases) => {
		const signal = signalOf([
			[0, 99_990],
			[10, 0],
			[10 + minute, 99_991],
		]);
		expect(increasesOf(signal, sized, minutes(0, 10, 200))).toEqual(increases);
	});

	test.each([
		[10, null],
		[11, 10],
	])('are %i at most', (count, turned) => {
		const readings = [99_990, ...Array(count).fill(0), 99_991];
		expect(increasesOf(every10(...readings), sized, minutes(0, 10))).toEqual([count * 10 > 120 ? 10 : turned]);
		const fast = signalOf(readings.map((value, index) => [index, value]));
		expect(increasesOf(fast, sized, minutes(0, 1))).toEqual([turned]);
	});

	test('are named with both readings, in each window that they touch', () => {
		const [first, second] = statesOfCounter(every10(99_990, 0, 99_991), sized, minutes(0, 10, 20));
		const [before, zero, after] = [99_990, 0, 99_991].map((value, index) => ({ at: 10 * index * minuteMs, value }));
		expect(first?.counter.faults).toEqual([{ code: 'counter_fell', from: before, to: zero }]);
		expect(second?.counter.faults).toEqual([{ code: 'counter_jumped', from: zero, to: after }]);
	});

	/** A counter that is read every 1 to 20 minutes, and makes one turn at most between two readings. Many begin shortly before a turn. */
	const counters = fc
		.record({
			start: fc.oneof(fc.nat(9999), fc.integer({ min: 9700, max: 9999 })),
			steps: fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.nat(40)), { minLength: 6, maxLength: 40 }),
			size: fc.constantFrom(10_000, undefined),
		})
		.map(({ start, steps, size }) => {
			let [minute, total] = [0, start];
			const readings = steps.map(([wait, advance]) => {
				minute += wait;
				total += advance;
				return { minute, total, value: size === undefined ? total : total % size };
			});
			const rule: CounterRule = size === undefined ? { dip: 0 } : { size, dip: 0 };
			return { readings, rule };
		});
	const shown = (readings: readonly { readonly minute: number; readonly value: number }[]): Signal =>
		signalOf(readings.map(({ minute, value }) => [minute, value]));
	const cuts = fc
		.uniqueArray(fc.nat(1300), { minLength: 2, maxLength: 30 })
		.map((list) => minutes(...list.sort((a, b) => a - b)));
	const cases = casesOf(400);
	const options = { numRuns: cases, seed: firstSeed };
	const timeout = 20_000 + 20 * cases;

	test(`are none in a counter that is right, so that its turns count: ${cases} counters`, { timeout }, () => {
		let turns = 0;
		fc.assert(
			fc.property(counters, ({ readings, rule }) => {
				expect(doubtfulReadings(shown(readings), rule).size).toBe(0);
				turns += readings.filter(({ value }, index) => value < (readings[index - 1]?.value ?? 0)).length;
			}),
			options,
		);
		expect(turns).toBeGreaterThan(cases / 20);
	});

	test(`never give a number that is not true, whatever one or two of them show, or up to five of one value: ${cases} counters`, {
		timeout,
	}, () => {
		const count = { windows: 0, withoutNumber: 0 };
		const wrongValue = fc.oneof(fc.constantFrom(0, 9999), fc.nat(9999));
		const wrongValues = fc.oneof(
			fc.array(wrongValue, { minLength: 1, maxLength: 2 }),
			fc.tuple(wrongValue, fc.integer({ min: 3, max: 5 })).map(([value, length]) => Array<number>(length).fill(value)),
		);
		fc.assert(
			fc.property(counters, wrongValues, fc.nat(), cuts, ({ readings, rule }, wrong, place, bounds) => {
				// The first two and the last readings are right: a reading is momentary between others.
				const at = 2 + (place % Math.max(1, readings.length - 3 - wrong.length));
				const last = Math.min(at + wrong.length, readings.length - 1);
				const seen = readings.map((reading, index) =>
					index >= at && index < last ? { ...reading, value: wrong[index - at] ?? reading.value } : reading,
				);
				// What the counter truly advanced around the wrong readings: a wrong reading within that cannot be told.
				const unseen = (readings[last]?.total ?? 0) - (readings[at - 1]?.total ?? 0);
				const numbers = increasesOf(shown(seen), rule, bounds);
				for (const [window, value] of numbers.entries()) {
					const totalAt = (time: number): number =>
						readings.findLast(({ minute }) => minute * minuteMs <= time)?.total ?? readings[0]?.total ?? 0;
					const truth = totalAt(bounds[window + 1] ?? 0) - totalAt(bounds[window] ?? 0);
					// After the last reading nothing is known.
					if ((bounds[window + 1] ?? 0) > (readings.at(-1)?.minute ?? 0) * minuteMs) continue;
					count.windows += 1;
					if (value === null) count.withoutNumber += 1;
					else expect(Math.abs(value - truth), `window ${window}`).toBeLessThanOrEqual(unseen);
				}
			}),
			options,
		);
		// Most windows touch the wrong readings, because the counters are short.
		expect(count.withoutNumber).toBeLessThan(0.7 * count.windows);
	});

	const anyReadings = fc.array(
		fc.tuple(fc.integer({ min: 1, max: 90 }), fc.oneof(fc.constantFrom(0, 99, Number.NaN), fc.nat(99))),
		{ minLength: 2, maxLength: 60 },
	);
	const rules = fc.constantFrom<CounterRule>({ dip: 0 }, { dip: 3 }, { size: 100, dip: 0 }, { size: 100, dip: 2 });

	test(`are the same for a window alone and in a longer range, and merge: ${cases} counters`, { timeout }, () => {
		fc.assert(
			fc.property(anyReadings, rules, cuts, (drawn, rule, bounds) => {
				let minute = 0;
				const samples = drawn.map(([wait, value]): readonly [number, number] => {
					minute += wait;
					return [minute, value];
				});
				const whole = statesOfCounter(signalOf(samples), rule, bounds);
				for (const [window, state] of whole.entries()) {
					const [from = 0, to = 0] = [bounds[window], bounds[window + 1]];
					// What is read for the window alone: the samples around it, and the newest one before those with a number.
					const isAround = ([at]: readonly [number, number]) =>
						at * minuteMs >= from - momentaryReachMs && at * minuteMs <= to + momentaryReachMs;
					const base = samples.findLast(([at, value]) => at * minuteMs < from - momentaryReachMs && !Number.isNaN(value));
					const alone = signalOf([...(base === undefined ? [] : [base]), ...samples.filter(isAround)]);
					expect(statesOfCounter(alone, rule, [from, to])[0]?.counter).toEqual(state.counter);
				}
				const [direct] = statesOfCounter(signalOf(samples), rule, [bounds[0] ?? 0, bounds.at(-1) ?? 0]);
				expect(whole.map(({ counter }) => counter).reduce(mergeCounterStates)).toEqual(direct?.counter);
			}),
			options,
		);
	});
});
