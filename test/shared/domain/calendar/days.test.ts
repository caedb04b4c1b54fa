import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startOfDay } from '#domain/calendar/days.ts';
import { makeCalendar } from '#test/support/builders/calendars.ts';

test.each([
	// The clock skips 02:30: the day begins an hour later than its clock time says.
	['2026-03-29T01:10Z', '2026-03-28T01:30:00.000Z'],
	['2026-03-29T01:30Z', '2026-03-29T01:30:00.000Z'],
	// 02:30 occurs twice: the first counts.
	['2026-10-25T00:29Z', '2026-10-24T00:30:00.000Z'],
	['2026-10-25T00:45Z', '2026-10-25T00:30:00.000Z'],
	['2026-10-25T01:15Z', '2026-10-25T00:30:00.000Z'],
	['2026-10-25T01:30Z', '2026-10-25T00:30:00.000Z'],
])('a day that begins at 02:30 in Madrid: that of %s', (time, expected) => {
	expect(new Date(startOfDay(Date.parse(time), makeCalendar('Europe/Madrid', '02:30'))).toISOString()).toBe(expected);
});

test('every time lies in its day', () => {
	const quarterMs = 900_000;
	const anyCase = fc.record({
		zone: fc.constantFrom('UTC', 'Europe/Madrid', 'America/Santiago', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca'),
		dayStart: fc.constantFrom('00:00', '00:30', '02:30', '06:00', '23:30'),
		time: fc.oneof(
			fc.integer({ min: Date.UTC(2026, 0) / quarterMs, max: Date.UTC(2027, 0) / quarterMs }),
			...[Date.UTC(2026, 2, 29), Date.UTC(2026, 9, 25), Date.UTC(2026, 3, 5), Date.UTC(2011, 11, 30)].map((change) =>
				fc.integer({ min: change / quarterMs - 96, max: change / quarterMs + 96 }),
			),
		),
	});
	fc.assert(
		fc.property(anyCase, ({ zone, dayStart, time: quarter }) => {
			const [time, calendar] = [quarter * quarterMs, makeCalendar(zone, dayStart)];
			expect(startOfDay(time, calendar)).toBeLessThanOrEqual(time);
			expect(startOfDay(time, calendar, { daysLater: 1 })).toBeGreaterThan(time);
		}),
		{ numRuns: 2000 },
	);
});
