import { afterEach, expect, test } from 'vitest';
import { language } from '#page/core/preferences.ts';
import { formatDay, formatUtc, formatWeekday } from '#page/format/time.ts';

afterEach(() => {
	language.value = 'en';
});

/** Noon in UTC: the same day in every zone that tests may run in. */
const noon = Date.UTC(2026, 10, 21, 12, 0, 5, 987);

test('the day comes before the month, in both languages', () => {
	expect(formatDay(noon)).toBe('21 Nov');
	expect(formatWeekday(noon)).toMatch(/^Sat,? 21 Nov$/);
	language.value = 'es';
	expect(formatDay(noon)).toBe('21 nov');
});

test('an instant in UTC has whole seconds', () => {
	expect(formatUtc(noon)).toBe('2026-11-21 12:00:05 UTC');
});
