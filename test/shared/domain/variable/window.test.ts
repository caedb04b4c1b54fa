import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Duration, subtract } from '#domain/variable/duration.ts';
import {
	boundaryAfter,
	boundaryAtOrBefore,
	historyWindows,
	newestRange,
	trailingWindows,
	type Windows,
	windowCount,
	windowEnd,
} from '#domain/variable/window.ts';
import { durationNamed, makeDuration } from '#test/support/builders/durations.ts';
import vectors from '#test/vectors/windows.json' with { type: 'json' };

const dayMs = 86_400_000;
const monthMs = 31 * dayMs;
const maxMs = 36_600 * dayMs;
const iso = (time: number): string => new Date(time).toISOString();

/** Returns all bounds of consecutive windows, as a vector has them. */
const boundsOf = (windows: Windows): number[] => [...windows.starts, windows.stop];

/** The first of every month from 1800 to 2250. A lookback of 100 y and a period of 50 y before 1950 reach back to 1800. */
const monthStarts = Array.from({ length: 450 * 12 }, (_, month) => Date.UTC(1800, month, 1));
/** Finds the boundary of a calendar period at or before `time` by searching the calendar. */
const searchBoundary = (time: number, months: number): number =>
	monthStarts.findLast((start, index) => start <= time && (index - 170 * 12) % months === 0) ?? Number.NaN;

/** Subtracts months by the calendar: to the same day, or to the last day of a shorter month. */
const monthsBefore = (time: number, months: number): number => {
	const date = new Date(time);
	const first = new Date(date).setUTCMonth(date.getUTCMonth() - months, 1);
	const lastDay = new Date(new Date(first).setUTCMonth(new Date(first).getUTCMonth() + 1, 0)).getUTCDate();
	return new Date(first).setUTCDate(Math.min(date.getUTCDate(), lastDay));
};

const now = fc.oneof(
	fc.integer({ min: Date.UTC(1950, 0), max: Date.UTC(2200, 0) }),
	fc
		.tuple(fc.integer({ min: -240, max: 2700 }), fc.integer({ min: -1, max: 1 }))
		.map(([month, offset]) => Date.UTC(1970, month, 1) + offset),
	fc.integer({ min: -5, max: 5 }),
);
const fixed = (max: number): fc.Arbitrary<Duration> =>
	fc.integer({ min: 1, max: Math.max(1, Math.min(max, maxMs)) }).map((ms) => ({ ms }));
const calendar = (max: number): fc.Arbitrary<Duration> =>
	fc.integer({ min: 1, max: Math.max(1, Math.min(max, 600)) }).map((months) => ({ ms: months * monthMs, months }));
const anyFixed = fc.constantFrom(3, 1000, 3_600_000, dayMs, 400 * dayMs).chain(fixed);
const anyCalendar = fc.oneof(calendar(1), calendar(12), calendar(60));

/** An instant, a period, and a lookback of up to about 40 periods. */
const spans = (periods: fc.Arbitrary<Duration>) =>
	periods.chain((period) =>
		fc.record({
			now,
			period: fc.constant(period),
			lookback: fc
				.oneof(fixed(period.ms * 40), calendar(Math.floor((period.ms * 40) / monthMs)))
				.filter(({ ms }) => ms <= 50 * period.ms),
		}),
	);
const anySpan = fc.oneof(spans(anyFixed), spans(anyCalendar));

describe.each(['UTC', 'Europe/Madrid', 'America/St_Johns', 'Pacific/Apia'])(
	'historyWindows and trailingWindows with the machine in time zone %s',
	(zone) => {
		afterEach(() => {
			vi.unstubAllEnvs();
		});

		test.each(vectors)('$kind, $now: $reason', ({ kind, now: at, lookback, period, bounds }) => {
			vi.stubEnv('TZ', zone);
			const windowsOf = kind === 'history' ? historyWindows : trailingWindows;
			expect(boundsOf(windowsOf(Date.parse(at), durationNamed(lookback), durationNamed(period))).map(iso)).toEqual(bounds);
		});
	},
);

describe('boundaryAtOrBefore and boundaryAfter', () => {
	test('return the multiples of a fixed period around a time', () => {
		fc.assert(
			fc.property(now, anyFixed, (time, period) => {
				const [from, to] = [boundaryAtOrBefore(time, period), boundaryAfter(time, period)];
				expect(BigInt(from) % BigInt(period.ms)).toBe(0n);
				expect(from).toBeLessThanOrEqual(time);
				expect(to).toBeGreaterThan(time);
				expect(to - from).toBe(period.ms);
			}),
		);
	});

	test('return the month boundaries around a time, at multiples of a calendar period since January 1970', () => {
		fc.assert(
			fc.property(now, calendar(300), (time, period) => {
				const months = period.months ?? 0;
				const from = boundaryAtOrBefore(time, period);
				expect(iso(from)).toBe(iso(searchBoundary(time, months)));
				expect(iso(from)).toMatch(/-01T00:00:00\.000Z$/);
				expect(new Date(from).setUTCMonth(new Date(from).getUTCMonth() + months)).toBe(boundaryAfter(time, period));
			}),
		);
	});

	test('return a boundary for itself, and the previous one for the millisecond before', () => {
		fc.assert(
			fc.property(now, fc.oneof(anyFixed, anyCalendar), (time, period) => {
				const from = boundaryAtOrBefore(time, period);
				expect(boundaryAtOrBefore(from, period)).toBe(from);
				expect(boundaryAfter(from - 1, period)).toBe(from);
				expect(boundaryAtOrBefore(from - 1, period)).toBeLessThan(from);
			}),
		);
	});
});

/** Each window must start before it ends, and end where the next one starts. */
const expectConsecutive = (windows: Windows): void => {
	const { starts, stop } = windows;
	expect(starts.length).toBeGreaterThan(0);
	for (const [index, start] of starts.entries()) {
		expect(start).toBeLessThan(windowEnd(windows, index));
		expect(windowEnd(windows, index)).toBe(index + 1 < starts.length ? starts[index + 1] : stop);
	}
};

describe('historyWindows', () => {
	test('cover the lookback without gap or overlap, and start no earlier than needed', () => {
		fc.assert(
			fc.property(anySpan, ({ now: at, lookback, period }) => {
				const windows = historyWindows(at, lookback, period);
				expectConsecutive(windows);
				expect(windows.stop).toBe(at);
				expect(windows.starts[0]).toBeLessThanOrEqual(subtract(at, lookback));
				expect(windowEnd(windows, 0)).toBeGreaterThan(subtract(at, lookback));
			}),
		);
	});

	test('start at every boundary', () => {
		fc.assert(
			fc.property(anySpan, ({ now: at, lookback, period }) => {
				for (const [index, start] of historyWindows(at, lookback, period).starts.entries()) {
					const { months } = period;
					if (months === undefined) expect(BigInt(start) % BigInt(period.ms)).toBe(0n);
					else expect(start).toBe(searchBoundary(start, months));
					if (index > 0)
						expect(boundaryAtOrBefore(start - 1, period)).toBe(historyWindows(at, lookback, period).starts[index - 1]);
				}
			}),
			{ numRuns: 30 },
		);
	});

	test('hold each instant of the lookback exactly once, and none from now on', () => {
		fc.assert(
			fc.property(
				anySpan,
				fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
				({ now: at, lookback, period }, part) => {
					const { start, stop } = newestRange(at, lookback);
					const windows = historyWindows(at, lookback, period);
					const holding = (instant: number) =>
						windows.starts.filter((from, index) => from <= instant && instant < windowEnd(windows, index)).length;
					for (const instant of [start, start + Math.floor((stop - start) * part), stop - 1]) expect(holding(instant)).toBe(1);
					expect(holding(stop)).toBe(0);
				},
			),
		);
	});

	test('windows of a fixed period are at most as many as windowCount says', () => {
		fc.assert(
			fc.property(
				spans(anyFixed),
				({ now: at, lookback, period }) => historyWindows(at, lookback, period).starts.length <= windowCount(lookback, period),
			),
		);
	});

	test('windows of a calendar period may exceed windowCount, which counts a month as 31 d: 73 instead of 72', () => {
		const [lookback, period] = [makeDuration(6, 'y'), makeDuration(1, 'mo')];
		expect(windowCount(lookback, period)).toBe(72);
		expect(historyWindows(Date.UTC(2026, 10, 21), lookback, period).starts).toHaveLength(73);
	});

	test('windows of a calendar period exceed windowCount by at most 20 % plus 2', () => {
		fc.assert(
			fc.property(spans(anyCalendar), ({ now: at, lookback, period }) => {
				const { length } = historyWindows(at, lookback, period).starts;
				expect(length).toBeLessThanOrEqual(windowCount(lookback, period) * 1.2 + 2);
			}),
		);
	});
});

describe('trailingWindows', () => {
	test('cover the lookback and nothing before it, up to now', () => {
		fc.assert(
			fc.property(anySpan, ({ now: at, lookback, period }) => {
				const windows = trailingWindows(at, lookback, period);
				expectConsecutive(windows);
				expect(windows.starts[0]).toBe(subtract(at, lookback));
				expect(windows.stop).toBe(at);
			}),
		);
	});

	test('windows of a fixed period have its length, but the oldest, which may be shorter', () => {
		fc.assert(
			fc.property(spans(anyFixed), ({ now: at, lookback, period }) => {
				const windows = trailingWindows(at, lookback, period);
				const lengths = windows.starts.map((start, index) => windowEnd(windows, index) - start);
				expect(lengths.slice(1)).toEqual(lengths.slice(1).map(() => period.ms));
				expect(lengths[0]).toBeLessThanOrEqual(period.ms);
				expect(lengths).toHaveLength(Math.ceil((at - subtract(at, lookback)) / period.ms));
				expect(lengths.length).toBeLessThan(windowCount(lookback, period));
			}),
		);
	});

	test('windows of a calendar period begin whole periods before now, but the oldest, which may be shorter', () => {
		fc.assert(
			fc.property(spans(anyCalendar), ({ now: at, lookback, period }) => {
				const { starts } = trailingWindows(at, lookback, period);
				const whole = starts.map((_, index) => monthsBefore(at, (period.months ?? 0) * (starts.length - index)));
				expect(starts.slice(1).map(iso)).toEqual(whole.slice(1).map(iso));
				expect(whole[0]).toBeLessThanOrEqual(starts[0] ?? Number.NaN);
			}),
		);
	});

	test('a period longer than the lookback gives one window of the lookback', () => {
		fc.assert(
			fc.property(now, fc.oneof(anyFixed, anyCalendar), fc.double({ min: 0, max: 0.9, noNaN: true }), (at, period, share) => {
				// Nine tenths of 31 days are less than the shortest month.
				const lookback = { ms: Math.max(1, Math.floor(period.ms * share)) };
				expect(trailingWindows(at, lookback, period)).toEqual({ starts: [at - lookback.ms], stop: at });
			}),
		);
	});
});

test('windowCount counts windows without creating them', () => {
	expect(windowCount({ ms: maxMs, months: 1200 }, { ms: 1 })).toBe(3_162_240_000_001);
});
