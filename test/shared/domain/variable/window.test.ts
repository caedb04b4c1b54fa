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

/** All bounds of windows in a row, as a vector has them. */
const boundsOf = (windows: Windows): number[] => [...windows.starts, windows.stop];

/** The first of every month from 1800 to 2250. A lookback of 100 y and a period of 50 y before 1950 reach back to 1800. */
const firsts = Array.from({ length: 450 * 12 }, (_, month) => Date.UTC(1800, month, 1));
/** The boundary of a calendar period at or before `time`, found by looking through the calendar. */
const searched = (time: number, months: number): number =>
	firsts.findLast((first, index) => first <= time && (index - 170 * 12) % months === 0) ?? Number.NaN;

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

/** An instant, a period and a lookback of up to some 40 of it. */
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

describe.each(['UTC', 'Europe/Madrid', 'America/St_Johns', 'Pacific/Apia'])('where the machine keeps the time of %s', (zone) => {
	afterEach(() => {
		vi.unstubAllEnvs();
	});

	test.each(vectors)('$kind, $now: $reason', ({ kind, now: at, lookback, period, bounds }) => {
		vi.stubEnv('TZ', zone);
		const windowsOf = kind === 'history' ? historyWindows : trailingWindows;
		expect(boundsOf(windowsOf(Date.parse(at), durationNamed(lookback), durationNamed(period))).map(iso)).toEqual(bounds);
	});
});

describe('a boundary', () => {
	test('of a fixed period is a multiple of it since the epoch, the last at or before and the first after', () => {
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

	test('of a calendar period is the first of a month whose number since January 1970 is a multiple of it', () => {
		fc.assert(
			fc.property(now, calendar(300), (time, period) => {
				const months = period.months ?? 0;
				const from = boundaryAtOrBefore(time, period);
				expect(iso(from)).toBe(iso(searched(time, months)));
				expect(iso(from)).toMatch(/-01T00:00:00\.000Z$/);
				expect(new Date(from).setUTCMonth(new Date(from).getUTCMonth() + months)).toBe(boundaryAfter(time, period));
			}),
		);
	});

	test('is its own boundary, and the millisecond before it belongs to the window before', () => {
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

/** Windows are in a row where each begins before it ends, and ends where the next begins. */
const expectInRow = (windows: Windows): void => {
	const { starts, stop } = windows;
	expect(starts.length).toBeGreaterThan(0);
	for (const [index, start] of starts.entries()) {
		expect(start).toBeLessThan(windowEnd(windows, index));
		expect(windowEnd(windows, index)).toBe(index + 1 < starts.length ? starts[index + 1] : stop);
	}
};

describe('the windows of a history', () => {
	test('cover the lookback without gap or overlap, and begin no earlier than needed', () => {
		fc.assert(
			fc.property(anySpan, ({ now: at, lookback, period }) => {
				const windows = historyWindows(at, lookback, period);
				expectInRow(windows);
				expect(windows.stop).toBe(at);
				expect(windows.starts[0]).toBeLessThanOrEqual(subtract(at, lookback));
				expect(windowEnd(windows, 0)).toBeGreaterThan(subtract(at, lookback));
			}),
		);
	});

	test('begin at boundaries, all of them', () => {
		fc.assert(
			fc.property(anySpan, ({ now: at, lookback, period }) => {
				for (const [index, start] of historyWindows(at, lookback, period).starts.entries()) {
					const { months } = period;
					if (months === undefined) expect(BigInt(start) % BigInt(period.ms)).toBe(0n);
					else expect(start).toBe(searched(start, months));
					if (index > 0)
						expect(boundaryAtOrBefore(start - 1, period)).toBe(historyWindows(at, lookback, period).starts[index - 1]);
				}
			}),
			{ numRuns: 30 },
		);
	});

	test('have each instant of the lookback in exactly one of them, and none from now on', () => {
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

	test('of a fixed period are never more than are counted beforehand', () => {
		fc.assert(
			fc.property(
				spans(anyFixed),
				({ now: at, lookback, period }) => historyWindows(at, lookback, period).starts.length <= windowCount(lookback, period),
			),
		);
	});

	test('of a calendar period may be more, for the design counts a month as 31 d: 73 where 72 are counted', () => {
		const [lookback, period] = [makeDuration(6, 'y'), makeDuration(1, 'mo')];
		expect(windowCount(lookback, period)).toBe(72);
		expect(historyWindows(Date.UTC(2026, 10, 21), lookback, period).starts).toHaveLength(73);
	});

	test('of a calendar period are at most a fifth and two more than are counted, for the count takes months as 31 d', () => {
		fc.assert(
			fc.property(spans(anyCalendar), ({ now: at, lookback, period }) => {
				const { length } = historyWindows(at, lookback, period).starts;
				expect(length).toBeLessThanOrEqual(windowCount(lookback, period) * 1.2 + 2);
			}),
		);
	});
});

describe('the windows of a newest mean', () => {
	test('of a fixed period have each exactly one period, and the last ends now', () => {
		fc.assert(
			fc.property(spans(anyFixed), ({ now: at, lookback, period }) => {
				const windows = trailingWindows(at, lookback, period);
				expectInRow(windows);
				expect(windows.stop).toBe(at);
				for (const [index, start] of windows.starts.entries()) expect(windowEnd(windows, index) - start).toBe(period.ms);
			}),
		);
	});

	test('of a calendar period are its last calendar windows before now, the last up to now', () => {
		fc.assert(
			fc.property(spans(anyCalendar), ({ now: at, lookback, period }) => {
				const windows = trailingWindows(at, lookback, period);
				expectInRow(windows);
				expect(windows.stop).toBe(at);
				let before = at;
				for (const start of windows.starts.toReversed()) {
					expect(iso(start)).toBe(iso(searched(before - 1, period.months ?? 0)));
					before = start;
				}
			}),
			{ numRuns: 30 },
		);
	});

	test('are as many as periods fit the lookback, the last one in part', () => {
		fc.assert(
			fc.property(anySpan, ({ now: at, lookback, period }) => {
				const { length } = trailingWindows(at, lookback, period).starts;
				expect(BigInt(length) * BigInt(period.ms)).toBeGreaterThanOrEqual(BigInt(lookback.ms));
				expect(BigInt(length - 1) * BigInt(period.ms)).toBeLessThan(BigInt(lookback.ms));
				expect(windowCount(lookback, period)).toBe(length + 1);
			}),
		);
	});

	test('of a fixed period cover at least the lookback', () => {
		fc.assert(
			fc.property(
				spans(anyFixed),
				({ now: at, lookback, period }) => (trailingWindows(at, lookback, period).starts[0] ?? at) <= subtract(at, lookback),
			),
		);
	});
});

test('a count of windows is known without making them, however many they are', () => {
	expect(windowCount({ ms: maxMs, months: 1200 }, { ms: 1 })).toBe(3_162_240_000_001);
});
