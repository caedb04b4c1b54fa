import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Correction } from '#domain/board/correction.ts';
import { calendarOf } from '#domain/calendar/days.ts';
import { applyCorrections } from '#domain/totals/apply-corrections.ts';
import { evaluateLines, type LineValue } from '#domain/totals/evaluate-lines.ts';
import { foldExcursions } from '#domain/totals/fold-excursions.ts';
import { createSignal } from '#domain/totals/signal.ts';
import { totalsLineOf } from '#domain/totals/totals-request.ts';
import { firstSeed } from '../cases.ts';
import {
	excursionsOracle,
	isOutside,
	leastMeanOracle,
	longestOracle,
	type OracleLimits,
	onTimeOracle,
	readingsOracle,
	type TickValues,
	withinOracle,
} from './limits-oracle.ts';

const tickMs = 900_000;
const ticksPerHour = 4;
const timeZone = 'Europe/Madrid';

/** How many ticks before the range the oracle looks back: as far as an excursion and a hold reach. */
const leadTicks = 60;

/**
 * Compares the functions of limits with an oracle, tick by tick, and holds their bounds against completions of the gaps: over days of 23, 24 and 25 h, with
 * corrections and local hours.
 */
export function limitsSuite(cases: number): void {
	const parameters = { numRuns: cases, seed: firstSeed };
	const timeout = 30_000 + cases * 20;

	test(`within, onTime, longest, readings and change tell what an oracle tells, with tight bounds: ${cases} cases`, {
		timeout,
	}, () => {
		fc.assert(
			fc.property(limitCases, (drawn) => {
				const each = prepare(drawn);
				const { values, limits } = each;
				const [inside, outside] = [fillOf(limits, false), fillOf(limits, true)];
				const best = values.map((value) => value ?? inside);
				const worst = values.map((value) => value ?? outside);
				const lines = [
					{ key: 'within', function: 'within', between: drawn.between },
					{ key: 'onTime', function: 'onTime', between: drawn.between },
					{ key: 'longest', function: 'longest' },
					{ key: 'change', function: 'change', range: [0, 4] },
					{ key: 'readings', function: 'readings', every: drawn.every, between: drawn.between },
					{ key: 'share', function: 'within', every: drawn.every, between: drawn.between },
				];
				const counted = each.count(lines);
				for (const [index, window] of each.windows.entries()) {
					const [ticks, counts] = [ticksOf(window), each.ticksIn(window, drawn.between)];
					const numberOf = (key: string): LineValue => numberIn(counted, key, index, each.windows.length);
					const isKnown = counts.some((tick) => values[tick] !== null);
					expectNumber(numberOf('within'), {
						value: withinOracle(values, counts, limits),
						low: withinOracle(worst, counts, limits),
						high: withinOracle(best, counts, limits),
					});
					expectNumber(numberOf('onTime'), {
						value: isKnown ? onTimeOracle(values, counts, limits, ticksPerHour) : null,
						low: onTimeOracle(best, counts, limits, ticksPerHour),
						high: onTimeOracle(worst, counts, limits, ticksPerHour),
					});
					const first = counts.find((tick) => isOutside(values[tick] ?? Number.NaN, limits));
					expect(numberOf('onTime').at).toBe(first === undefined ? undefined : each.timeOf(first));
					const longest = longestOracle(values, ticks, limits, ticksPerHour);
					expectNumber(numberOf('longest'), {
						value: ticks.some((tick) => values[tick] !== null) ? longest.hours : null,
						low: longest.hours,
						high: longestOracle(worst, ticks, limits, ticksPerHour).hours,
					});
					if (longest.at !== null) {
						expect(numberOf('longest').at).toBe(each.timeOf(longest.at));
						const end = longest.at + longest.hours * ticksPerHour;
						expect(numberOf('longest').cut).toEqual([longest.at === window[0], end === window[1]]);
					}
					const [begin, end] = [values[window[0]] ?? null, values[window[1]] ?? null];
					expectNumber(numberOf('change'), {
						value: begin === null || end === null ? null : end - begin,
						low: (end ?? 0) - (begin ?? 4),
						high: (end ?? 4) - (begin ?? 0),
					});
					const slots = each.slotsIn(window, drawn.every, drawn.between);
					const { expected, taken, within } = readingsOracle(values, slots, limits);
					const most = within + expected - taken;
					expect(numberOf('readings')).toMatchObject({ expected, taken });
					expectNumber(numberOf('readings'), {
						value: taken === 0 ? null : within,
						low: expected === 0 ? null : within,
						high: expected === 0 ? null : most,
					});
					expectNumber(numberOf('share'), {
						value: taken === 0 ? null : (100 * within) / taken,
						low: expected === 0 ? null : (100 * within) / expected,
						high: expected === 0 ? null : (100 * most) / expected,
					});
				}
				// The days merge to what a single window gives.
				expect(counted.map(({ values: { total } }) => total)).toEqual(each.countWhole(lines));
			}),
			parameters,
		);
	});

	test(`leastMean tells what an oracle tells, with tight bounds, and holds completions: ${cases} cases`, { timeout }, () => {
		let told = 0;
		fc.assert(
			fc.property(
				limitCases,
				nightCases,
				fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
				(drawn, night, random) => {
					const each = prepare(drawn);
					const { values } = each;
					const { overTicks, range } = night;
					const over = (overTicks * tickMs) / 1000;
					const line = { key: 'a', function: 'leastMean', over, between: drawn.between, range };
					const counted = each.count([line]);
					const nights = each.windows.slice(0, -1).map((window) => {
						const ticks = each.ticksIn(window, drawn.between);
						const seen = ticks.flatMap((tick) => values[tick] ?? []);
						const [lo, hi] = [Math.min(range?.[0] ?? 0, ...seen), Math.max(range?.[1] ?? 4, ...seen)];
						const leastOf = (fill: () => number) =>
							leastMeanOracle(
								values.map((value) => value ?? fill()),
								ticks,
								overTicks,
							);
						const known = leastMeanOracle(values, ticks, overTicks);
						const high = range === undefined ? known.mean : leastOf(() => hi).mean;
						return {
							...{ possible: leastOf(() => 0).mean !== null, value: seen.length === 0 ? null : high, high },
							low: range === undefined ? ifPossible(leastOf(() => impossible).mean) : leastOf(() => lo).mean,
							at: known.mean !== null && known.mean === high ? known.at : null,
							truth: leastOf(() => lo + (hi - lo) * (random.next().value ?? 0)).mean,
						};
					});
					for (const [index, expected] of nights.entries()) {
						const number = counted[0]?.values.windows[index] ?? expect.unreachable();
						expectNumber(number, expected);
						expect(number.at).toBe(expected.at === null || expected.value === null ? undefined : each.timeOf(expected.at));
						expect([number.expected, number.taken]).toEqual([expected.possible ? 1 : 0, expected.value === null ? 0 : 1]);
						if (range === undefined || expected.truth === null) continue;
						told += 1;
						expectBetween(expected.truth, number);
					}
					const total = counted[0]?.values.total ?? expect.unreachable();
					const truths = nights.flatMap(({ truth }) => truth ?? []).sort((a, b) => a - b);
					const middle = ((truths[(truths.length - 1) >> 1] ?? 0) + (truths[truths.length >> 1] ?? 0)) / 2;
					if (range !== undefined && truths.length > 0) expectBetween(middle, total);
					expect([total]).toEqual(each.countWhole([line]));
				},
			),
			parameters,
		);
		expect(told).toBeGreaterThan(cases / 4);
	});

	test(`excursions tell what an oracle tells, and hold completions: ${cases} cases`, { timeout }, () => {
		fc.assert(
			fc.property(limitCases, fc.infiniteStream(fc.boolean()), (drawn, chosen) => {
				const each = prepare(drawn);
				const { values, limits } = each;
				const fills = [fillOf(limits, false), fillOf(limits, true)] as const;
				const line = { key: 'a', function: 'excursions', forSeconds: (drawn.forTicks * tickMs) / 1000 };
				const counted = each.count([line]);
				const truths = Array.from({ length: 8 }, () => {
					const full = values.map((value) => value ?? fills[chosen.next().value === true ? 1 : 0]);
					const breaks = gapEdges(values).filter(() => chosen.next().value === true);
					return each.windows.map((window) => excursionsOracle(full, window, limits, drawn.forTicks, new Set(breaks)));
				});
				for (const [index, window] of each.windows.entries()) {
					const number = numberIn(counted, 'a', index, each.windows.length);
					const isKnown = ticksOf(window).some((tick) => values[tick] !== null);
					expect(number.value).toBe(isKnown ? excursionsOracle(values, window, limits, drawn.forTicks) : null);
					for (const truth of truths) expectBetween(truth[index] ?? Number.NaN, number);
				}
				expect(each.countWhole([line])[0]?.value).toBe(counted[0]?.values.total.value);
			}),
			parameters,
		);
	});

	test(`excursions have the least and the greatest number of all completions as bounds: ${cases} short cases`, {
		timeout,
	}, () => {
		fc.assert(
			fc.property(shortCases, ({ values, forTicks, from }) => {
				const signal = createSignal(
					Float64Array.from(values, (_, tick) => tick),
					Float64Array.from(values, (value) => value ?? Number.NaN),
					1,
				);
				const [state] = foldExcursions(signal, { above: 0, forMs: forTicks }, [from, values.length]);
				// What was before can only lengthen a stretch that does not count in the window.
				const unknown = values.flatMap((value, tick) => (value === null && tick >= from - forTicks ? [tick] : []));
				const edges = gapEdges(values).filter((tick) => tick >= from - forTicks);
				fc.pre(unknown.length + edges.length <= 12);
				const truths = Array.from({ length: 2 ** (unknown.length + edges.length) }, (_, number) => {
					const isSet = (bit: number): boolean => bit >= 0 && ((number >> bit) & 1) === 1;
					const full = values.map((value, tick) => value ?? (isSet(unknown.indexOf(tick)) ? 1 : 0));
					const breaks = new Set(edges.filter((_edge, index) => isSet(unknown.length + index)));
					return excursionsOracle(full, [from, values.length], [null, 0], forTicks, breaks);
				});
				expect([state?.low, state?.high]).toEqual([Math.min(...truths), Math.max(...truths)]);
			}),
			{ ...parameters, numRuns: Math.ceil(cases / 2) },
		);
	});
}

/** A value far below all others, in place of any that nothing bounds. */
const impossible = -1e9;
const ifPossible = (mean: number | null): number | null => (mean === null || mean < -1e6 ? null : mean);

/** The beginnings and the ends of all ticks in gaps. There a signal may have been within limits for no time. */
const gapEdges = (values: TickValues): readonly number[] => [
	...new Set(values.flatMap((value, tick) => (value === null ? [tick, tick + 1] : []))),
];

function expectBetween(truth: number, { low, high }: LineValue): void {
	expect(truth).toBeGreaterThanOrEqual((low ?? Number.NEGATIVE_INFINITY) - 1e-9);
	expect(truth).toBeLessThanOrEqual((high ?? Number.POSITIVE_INFINITY) + 1e-9);
}

/** A value that is within limits, or outside. */
const fillOf = (limits: OracleLimits, wantsOutside: boolean): number =>
	[0, 1, 2, 3, 4].find((value) => isOutside(value, limits) === wantsOutside) ?? expect.unreachable();

const ticksOf = ([from, to]: readonly [number, number]): readonly number[] =>
	Array.from({ length: to - from }, (_, index) => from + index);

type Counted = ReturnType<typeof evaluateLines>;

/** The number of a window; the last one is that of the whole range. */
function numberIn(counted: Counted, key: string, index: number, windows: number): LineValue {
	const values = counted.find((line) => line.key === key)?.values;
	return (index === windows - 1 ? values?.total : values?.windows[index]) ?? expect.unreachable();
}

function expectNumber(actual: LineValue, expected: Readonly<Record<'value' | 'low' | 'high', number | null>>): void {
	for (const name of ['value', 'low', 'high'] as const) {
		const number = expected[name];
		expect(actual[name], name).toEqual(number === null ? null : expect.closeTo(number, 9));
	}
}

type Drawn = typeof limitCases extends fc.Arbitrary<infer Value> ? Value : never;

/** Returns a case with its signal, tick by tick, and functions that count it. */
function prepare(drawn: Drawn) {
	const { midnight, days, dayStart, samples, holdTicks, corrections, limits } = drawn;
	const start = Date.parse(midnight) + (dayStart === '06:00' ? 6 : 0) * 3_600_000;
	const timeOf = (tick: number): number => start + (tick - leadTicks) * tickMs;
	const calendar = calendarOf({ timeZone, dayStart });
	const local = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
	const clockAt = (tick: number): string => local.format(timeOf(tick));
	// Days begin where the clock says so. No clock changes then.
	const dayStarts = ticksOf([leadTicks, leadTicks + 4 * 100]).filter((tick) => clockAt(tick) === dayStart);
	const bounds = dayStarts.slice(0, days + 1);
	const [from = 0, to = 0] = [bounds[0], bounds.at(-1)];
	const corrected = applyCorrections(
		createSignal(
			Float64Array.from(samples, ({ tick }) => timeOf(tick)),
			Float64Array.from(samples, ({ value }) => value ?? Number.NaN),
			holdTicks * tickMs,
		),
		corrections.map(({ from: first, ticks, ...rest }, index): Correction => {
			return { id: index + 1, varId: 1, reason: 'R', from: timeOf(first), to: timeOf(first + ticks), ...rest };
		}),
		{ isCounter: false },
	);
	const values: TickValues = ticksOf([0, to + 1]).map((tick) => {
		const position = corrected.times.findLastIndex((time) => time <= timeOf(tick));
		const value = corrected.values[position] ?? Number.NaN;
		const isKnown = !Number.isNaN(value) && timeOf(tick) < (corrected.times[position] ?? 0) + corrected.holdMs;
		return isKnown ? value : null;
	});
	const isIn = (tick: number, between: readonly [string, string] | undefined): boolean => {
		if (between === undefined) return true;
		const [clock, [first, last]] = [clockAt(tick), between];
		return first < last ? clock >= first && clock < last : clock >= first || clock < last;
	};
	const ticksIn = (window: readonly [number, number], between?: readonly [string, string]): readonly number[] =>
		ticksOf(window).filter((tick) => isIn(tick, between));
	const evaluate = (lines: readonly object[], at: readonly number[]) => {
		const parsed = lines.map((line) => ({ key: 'a', function: 'within' as const, varId: 1, limits: [...limits], ...line }));
		const totals = parsed.map((line) => totalsLineOf(line as never, calendar));
		return evaluateLines(totals, new Map(totals.map(({ key }) => [key, { signal: corrected }])), at.map(timeOf));
	};
	return {
		values,
		limits,
		timeOf,
		ticksIn,
		/** The days, and last the whole range. */
		windows: [...bounds.slice(1).map((stop, index) => [bounds[index] ?? 0, stop] as const), [from, to] as const],
		slotsIn: (window: readonly [number, number], every: number, between?: readonly [string, string]): readonly number[] =>
			ticksIn(window, between).filter((tick) => {
				const day = dayStarts.findLast((each) => each <= tick) ?? 0;
				return ((tick - day) * tickMs) % (every * 1000) === 0;
			}),
		count: (lines: readonly object[]) => evaluate(lines, bounds),
		countWhole: (lines: readonly object[]) => evaluate(lines, [from, to]).map(({ values: { total } }) => total),
	};
}

const lastTick = leadTicks + 300;

const limitCases = fc.record({
	midnight: fc.constantFrom('2026-10-23T22:00:00Z', '2026-03-27T23:00:00Z', '2026-11-19T23:00:00Z'),
	days: fc.constantFrom(1, 1, 2, 3),
	dayStart: fc.constantFrom('00:00', '06:00'),
	holdTicks: fc.constantFrom(2, 5, 20, 60),
	samples: fc
		.uniqueArray(
			fc.record({
				tick: fc.integer({ min: 0, max: lastTick }),
				value: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 4 }) }, fc.constant(null)),
			}),
			{ selector: ({ tick }) => tick, maxLength: 60 },
		)
		.map((samples) => samples.sort((a, b) => a.tick - b.tick)),
	corrections: fc.array(
		fc.oneof(
			fc.record({
				from: fc.integer({ min: 0, max: lastTick }),
				ticks: fc.integer({ min: 1, max: 30 }),
				type: fc.constant('exclude' as const),
			}),
			fc.record({
				from: fc.integer({ min: 0, max: lastTick }),
				ticks: fc.integer({ min: 1, max: 30 }),
				type: fc.constant('value' as const),
				value: fc.integer({ min: 0, max: 4 }),
			}),
		),
		{ maxLength: 3 },
	),
	limits: fc.constantFrom<OracleLimits>([null, 2], [1, null], [1, 2], [2, 2]),
	between: fc.constantFrom<[string, string] | undefined>(undefined, undefined, ['02:00', '05:00'], ['22:15', '03:00']),
	every: fc.constantFrom(900, 3600, 14_400, 43_200, 86_400),
	forTicks: fc.constantFrom(1, 2, 3, 8),
});

const nightCases = fc.record({
	overTicks: fc.constantFrom(1, 3, 4, 8, 13),
	range: fc.constantFrom<readonly [number, number] | undefined>([0, 4], [1, 3], [0, 9], undefined),
});

/** Signals of a few ticks, in runs of values that are within (0), outside (1) or unknown, with a window at their end. */
const shortCases = fc
	.record({
		runs: fc.array(fc.tuple(fc.constantFrom(0, 1, 1, null), fc.integer({ min: 1, max: 4 })), { minLength: 3, maxLength: 8 }),
		forTicks: fc.integer({ min: 1, max: 4 }),
		from: fc.nat(8),
	})
	.map(({ runs, forTicks, from }) => {
		const values = runs.flatMap(([value, ticks]) => Array.from({ length: ticks }, () => value));
		return { values, forTicks, from: Math.min(forTicks + from, values.length) };
	});
