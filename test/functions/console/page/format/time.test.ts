import { afterEach, expect, test, vi } from 'vitest';
import { language } from '#page/core/preferences.ts';
import { formatDate, formatDateTime, formatDay, formatSent, formatUtc, formatWeekday } from '#page/format/time.ts';

afterEach(() => {
	vi.useRealTimers();
	language.value = 'en';
});

/** Noon in UTC: the same day in every zone that tests may run in. */
const noon = Date.UTC(2026, 10, 21, 12, 0, 5, 987);

test('the day comes before the month, in both languages', () => {
	vi.useFakeTimers({ toFake: ['Date'], now: noon });
	expect(formatDay(noon)).toBe('21 Nov');
	expect(formatWeekday(noon)).toMatch(/^Sat,? 21 Nov$/);
	language.value = 'es';
	expect(formatDay(noon)).toBe('21 nov');
});

test.each([
	[2025, ' 2026'],
	[2026, ''],
	[2027, ' 2026'],
])('seen from %i, a time of 2026 has the year: %j', (year, shown) => {
	vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(year, 5, 1) });
	expect(formatDate(noon)).toBe(`21 Nov${shown}`);
	expect(formatWeekday(noon)).toMatch(new RegExp(`^Sat,? 21 Nov${shown}$`));
	expect(formatDateTime(noon)).toMatch(new RegExp(`^21 Nov${shown} \\d\\d:00$`));
	expect(formatSent(new Date(noon).toISOString())).toMatch(/^21 Nov 2026 \d\d:00$/);
});

test('the year is that of the zone in which the time is shown', () => {
	const lastHour = Date.UTC(2025, 11, 31, 23, 30);
	vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 12) });
	expect([formatDate(lastHour, 'UTC'), formatDate(lastHour, 'Europe/Madrid')]).toEqual(['31 Dec 2025', '1 Jan']);
});

test('a text of the service that is no time stays', () => {
	expect([formatSent('tomorrow'), formatSent(undefined)]).toEqual(['tomorrow', 'undefined']);
});

test('an instant in UTC has whole seconds', () => {
	expect(formatUtc(noon)).toBe('2026-11-21 12:00:05 UTC');
});
