import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dateOfDay } from '#domain/calendar/days.ts';
import { comparedSpan, movedDate, rowBounds, shownCalendarOf, spanAt } from '#page/screens/report/report-periods.ts';
import { comparisonsOf, viewLengths } from '#page/screens/report/report-view.ts';

const madrid = shownCalendarOf({ timeZone: 'Europe/Madrid', dayStart: '00:00' });
const at = (text: string) => Date.parse(text);

test('a week begins on Monday, a month on its first day, a day at the hour of the report', () => {
	expect(spanAt('week', '2026-11-22', madrid)).toEqual({
		date: '2026-11-16',
		start: at('2026-11-16T00:00+01:00'),
		end: at('2026-11-23T00:00+01:00'),
	});
	expect(spanAt('month', '2024-02-29', madrid).end).toBe(at('2024-03-01T00:00+01:00'));
	const early = shownCalendarOf({ timeZone: 'Europe/Madrid', dayStart: '06:30' });
	expect(spanAt('day', '2026-11-22', early).start).toBe(at('2026-11-22T06:30+01:00'));
});

test('a step leads from the end of a month to the next month, and over the year', () => {
	expect(movedDate('month', '2026-01-31', 1)).toBe('2026-02-01');
	expect(movedDate('month', '2026-01-31', -1)).toBe('2025-12-01');
	expect(movedDate('week', '2026-01-01', -1)).toBe('2025-12-22');
	expect(movedDate('year', '2024-02-29', 1)).toBe('2025-01-01');
});

test('a day of a clock change has 23 or 25 rows', () => {
	expect(rowBounds('day', spanAt('day', '2026-03-29', madrid), madrid)).toHaveLength(24);
	expect(rowBounds('day', spanAt('day', '2026-10-25', madrid), madrid)).toHaveLength(26);
	expect(rowBounds('year', spanAt('year', '2026-06-01', madrid), madrid)).toHaveLength(13);
});

test('the same part of the period before is compared, by local time', () => {
	const span = spanAt('month', '2026-11-24', madrid);
	const other = comparedSpan({ length: 'month', comparison: 'before' }, span, at('2026-11-24T16:13+01:00'), madrid);
	expect(other).toEqual({ date: '2026-10-01', start: at('2026-10-01T00:00+02:00'), end: at('2026-10-24T16:13+02:00') });
});

test('a shorter month before is compared whole, and so is the one before a period that is over', () => {
	const march = spanAt('month', '2026-03-31', madrid);
	expect(comparedSpan({ length: 'month', comparison: 'before' }, march, at('2026-03-31T12:00+02:00'), madrid)?.end).toBe(
		at('2026-03-01T00:00+01:00'),
	);
	expect(comparedSpan({ length: 'month', comparison: 'before' }, march, at('2026-06-01T00:00Z'), madrid)).toEqual(
		spanAt('month', '2026-02-01', madrid),
	);
});

test('a day is compared with the same day of the week, also a year before', () => {
	const monday = spanAt('day', '2026-11-09', madrid);
	const later = at('2026-12-01T00:00Z');
	expect(comparedSpan({ length: 'day', comparison: 'weekday' }, monday, later, madrid)?.date).toBe('2026-11-02');
	expect(comparedSpan({ length: 'day', comparison: 'before' }, monday, later, madrid)?.date).toBe('2026-11-08');
	const yearBefore = comparedSpan({ length: 'day', comparison: 'year' }, monday, later, madrid)?.date ?? '';
	expect([yearBefore, new Date(yearBefore).getUTCDay()]).toEqual(['2025-11-10', 1]);
	expect(comparedSpan({ length: 'month', comparison: 'year' }, spanAt('month', '2026-02-01', madrid), later, madrid)?.date).toBe(
		'2025-02-01',
	);
	expect(comparedSpan({ length: 'day', comparison: 'none' }, monday, later, madrid)).toBeNull();
});

test('in any zone a period holds its date, ends where the next one begins, and is compared with an earlier one', () => {
	const date = fc
		.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2037, 0, 1) })
		.map((time) => new Date(time).toISOString().slice(0, 10));
	fc.assert(
		fc.property(
			fc.constantFrom(...viewLengths),
			date,
			fc.constantFrom('Europe/Madrid', 'America/Santiago', 'Australia/Lord_Howe', 'UTC'),
			fc.constantFrom('00:00', '06:30'),
			fc.double({ min: 0.001, max: 2, noNaN: true }),
			(length, day, timeZone, dayStart, passed) => {
				const calendar = shownCalendarOf({ timeZone, dayStart });
				const span = spanAt(length, day, calendar);
				expect(dateOfDay(span.start, calendar)).toBe(span.date);
				expect(span.date <= day && day < movedDate(length, day, 1)).toBe(true);
				expect(spanAt(length, movedDate(length, day, 1), calendar).start).toBe(span.end);
				const now = span.start + passed * (span.end - span.start);
				for (const comparison of comparisonsOf[length]) {
					const other = comparedSpan({ length, comparison }, span, now, calendar);
					if (other === null) continue;
					expect(other.start < other.end && other.end <= span.start).toBe(true);
				}
			},
		),
	);
});
