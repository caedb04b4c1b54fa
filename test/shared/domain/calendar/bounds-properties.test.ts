import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundsOf, countBounds } from '#domain/calendar/bounds.ts';
import { localTimeAt } from '#domain/calendar/local-time.ts';
import type { Duration } from '#domain/variable/duration.ts';
import { makeCalendar } from '#test/support/builders/calendars.ts';
import { makeDuration } from '#test/support/builders/durations.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe('any range', () => {
	const anyPeriod = fc.oneof(
		fc.constantFrom(1, 1000, 900_000, hourMs, 8 * hourMs, 12 * hourMs).map((ms): Duration => ({ ms })),
		fc.integer({ min: 1, max: 100 }).map((days): Duration => ({ ms: days * dayMs })),
		fc.integer({ min: 1, max: 40 }).map((months): Duration => makeDuration(months, 'mo')),
	);
	const anyCase = fc.record({
		zone: fc.constantFrom('UTC', 'Europe/Madrid', 'America/Santiago', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca'),
		dayStart: fc.constantFrom('00:00', '00:30', '02:30', '06:00', '23:30'),
		start: fc.oneof(
			fc.integer({ min: Date.UTC(1965, 0), max: Date.UTC(2030, 0) }),
			fc.integer({ min: Date.UTC(2011, 11, 27), max: Date.UTC(2012, 0, 3) }),
		),
		period: anyPeriod,
		periods: fc.double({ min: 0.01, max: 40, noNaN: true }),
	});

	test('has strictly ascending bounds, from its start to its stop, as many as counted', () => {
		fc.assert(
			fc.property(anyCase, ({ zone, dayStart, start, period, periods }) => {
				const range = { start, stop: start + Math.ceil(period.ms * periods) };
				const calendar = makeCalendar(zone, dayStart);
				const bounds = boundsOf(range, period, calendar);
				expect([bounds[0], bounds.at(-1)]).toEqual([range.start, range.stop]);
				expect(bounds.every((bound, index) => index === 0 || bound > (bounds[index - 1] ?? bound))).toBe(true);
				expect(countBounds(range, period, calendar)).toBe(bounds.length);
			}),
			{ numRuns: 500 },
		);
	});

	test('has the bounds of a wider range that lie in it', () => {
		fc.assert(
			fc.property(anyCase, fc.nat(dayMs), fc.nat(dayMs), ({ zone, dayStart, start, period, periods }, earlier, later) => {
				const stop = start + Math.ceil(period.ms * periods);
				const wider = { start: start - Math.min(earlier, 500 * period.ms), stop: stop + Math.min(later, 500 * period.ms) };
				const calendar = makeCalendar(zone, dayStart);
				const inside = boundsOf(wider, period, calendar).filter((bound) => bound > start && bound < stop);
				expect(boundsOf({ start, stop }, period, calendar)).toEqual([start, ...inside, stop]);
			}),
		);
	});

	test('has windows that begin with a day by the local clock, but for times that the clock skips', () => {
		const counts = { onTime: 0, late: 0 };
		fc.assert(
			fc.property(anyCase, ({ zone, dayStart, start, period, periods }) => {
				if (period.ms < dayMs) return;
				const calendar = makeCalendar(zone, dayStart);
				const stop = start + Math.ceil(period.ms * Math.min(periods, 10));
				for (const bound of boundsOf({ start, stop }, period, calendar).slice(1, -1)) {
					const sinceDayStart = localTimeAt(bound, calendar.zone) - calendar.dayStartMs;
					const late = ((sinceDayStart % dayMs) + dayMs) % dayMs;
					counts[late === 0 ? 'onTime' : 'late'] += 1;
					if (late > 0)
						expect(localTimeAt(bound - 2 * hourMs, calendar.zone)).toBeLessThan(localTimeAt(bound, calendar.zone) - 2 * hourMs);
				}
			}),
		);
		expect(counts.onTime).toBeGreaterThan(counts.late);
	});
});
