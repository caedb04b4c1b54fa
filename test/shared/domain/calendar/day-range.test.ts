import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundsOf } from '#domain/calendar/bounds.ts';
import { checkAskedDays, daysOf, daysSchema, dayWords, rangeOfDays } from '#domain/calendar/day-range.ts';
import { dateOfDay } from '#domain/calendar/days.ts';
import { parse, ValidationIssues } from '#domain/validation/parse.ts';
import { makeCalendar } from '#test/support/builders/calendars.ts';

const dayMs = 86_400_000;
const madrid = makeCalendar('Europe/Madrid');

describe.each([
	// A Saturday; in Madrid it is the next day already.
	['2026-11-21T23:30:00Z', 'today', '2026-11-22', '2026-11-22'],
	['2026-11-21T12:00:00Z', 'today', '2026-11-21', '2026-11-21'],
	['2026-11-21T12:00:00Z', 'yesterday', '2026-11-20', '2026-11-20'],
	['2026-11-21T12:00:00Z', 'this-week', '2026-11-16', '2026-11-22'],
	['2026-11-22T12:00:00Z', 'this-week', '2026-11-16', '2026-11-22'],
	['2026-11-23T12:00:00Z', 'this-week', '2026-11-23', '2026-11-29'],
	['2026-11-23T12:00:00Z', 'last-week', '2026-11-16', '2026-11-22'],
	['2026-11-30T12:00:00Z', 'this-month', '2026-11-01', '2026-11-30'],
	['2026-03-31T12:00:00Z', 'last-month', '2026-02-01', '2026-02-28'],
	['2028-03-01T12:00:00Z', 'last-month', '2028-02-01', '2028-02-29'],
	['2026-01-01T12:00:00Z', 'last-month', '2025-12-01', '2025-12-31'],
	['2026-01-01T12:00:00Z', 'this-year', '2026-01-01', '2026-12-31'],
	['2026-01-01T12:00:00Z', 'last-year', '2025-01-01', '2025-12-31'],
	['2026-03-02T12:00:00Z', 'last-7-days', '2026-02-23', '2026-03-01'],
	['2026-03-02T12:00:00Z', 'last-1-days', '2026-03-01', '2026-03-01'],
	['2026-11-21T12:00:00Z', '2026-02-28', '2026-02-28', '2026-02-28'],
])('at %s', (now, date, from, to) => {
	test(`${date} is from ${from} to ${to}`, () => {
		expect(daysOf({ date: parse(daysSchema, date) }, madrid, Date.parse(now))).toEqual({ from, to });
	});
});

test('without days they are yesterday, and from a date alone they are until today', () => {
	const now = Date.parse('2026-11-21T12:00:00Z');
	expect(daysOf({}, madrid, now)).toEqual({ from: '2026-11-20', to: '2026-11-20' });
	expect(daysOf({ from: '2026-11-01' }, madrid, now)).toEqual({ from: '2026-11-01', to: '2026-11-21' });
});

test.each(['2026-02-30', 'tomorrow', 'last-0-days', 'last-07-days', 'last-12345-days', 'constructor', 'Yesterday', ''])(
	'%s are no days',
	(text) => {
		expect(() => parse(daysSchema, text)).toThrow(expect.objectContaining({ code: 'invalid' }));
	},
);

test.each([
	[{ date: 'today', from: '2026-11-01' }, 'date', 'date_and_range'],
	[{ date: 'today', to: '2026-11-01' }, 'date', 'date_and_range'],
	[{ to: '2026-11-01' }, 'from', 'required'],
])('%j are refused', (asked, path, code) => {
	const issues = new ValidationIssues();
	checkAskedDays(asked, issues);
	expect(() => issues.throwIfAny()).toThrow(
		expect.objectContaining({ payload: { issues: [expect.objectContaining({ path, code })] } }),
	);
});

test('days begin when a day of the calendar does, also where the clocks change', () => {
	const at0630 = makeCalendar('Europe/Madrid', '06:30');
	expect(rangeOfDays({ from: '2026-10-24', to: '2026-10-25' }, at0630)).toEqual({
		start: Date.parse('2026-10-24T06:30:00+02:00'),
		stop: Date.parse('2026-10-26T06:30:00+01:00'),
	});
});

test('weeks, months and years of words are windows of reports, in every zone', () => {
	const lengths = { week: { ms: 7 * dayMs }, month: { ms: 31 * dayMs, months: 1 }, year: { ms: 366 * dayMs, months: 12 } };
	const words = dayWords.filter((word) => /week|month|year/.test(word));
	const anyCase = fc.record({
		zone: fc.constantFrom('UTC', 'Europe/Madrid', 'America/Santiago', 'Pacific/Auckland', 'Asia/Kolkata'),
		dayStart: fc.constantFrom('00:00', '06:30'),
		word: fc.constantFrom(...words),
		now: fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }),
	});
	fc.assert(
		fc.property(anyCase, ({ zone, dayStart, word, now }) => {
			const calendar = makeCalendar(zone, dayStart);
			const days = daysOf({ date: word }, calendar, now);
			const range = rangeOfDays(days, calendar);
			const length = Object.entries(lengths).find(([name]) => word.endsWith(name))?.[1];
			// Two days more at both ends show whether the bounds of windows are those of the range.
			const around = boundsOf({ start: range.start - 2 * dayMs, stop: range.stop + 2 * dayMs }, length ?? { ms: 0 }, calendar);
			expect(around).toEqual([range.start - 2 * dayMs, range.start, range.stop, range.stop + 2 * dayMs]);
			expect([dateOfDay(range.start, calendar), dateOfDay(range.stop - 1, calendar)]).toEqual([days.from, days.to]);
		}),
	);
});
