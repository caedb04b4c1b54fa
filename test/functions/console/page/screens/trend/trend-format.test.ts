import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { chosenZone } from '#page/core/time-zone.ts';
import { formatWindow, formatWindowStart } from '#page/screens/trend/trend-format.ts';

beforeAll(() => {
	chosenZone.value = 'Europe/Madrid';
	vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T12:00:00Z') });
});
afterAll(() => {
	chosenZone.value = '';
	vi.useRealTimers();
});

const bounds = (...times: readonly string[]): readonly number[] => times.map((time) => Date.parse(time));

test('a window of a day names both of its days, on the days of the clock changes, too', () => {
	const forward = bounds('2026-03-28T00:00+01:00', '2026-03-29T00:00+01:00', '2026-03-30T00:00+02:00');
	expect(formatWindow(forward, 0)).toMatch(/^28 Mar.* 00:00 – 29 Mar.* 00:00$/);
	expect(formatWindow(forward, 1)).toMatch(/^29 Mar.* 00:00 – 30 Mar.* 00:00$/);
	const back = bounds('2026-10-25T00:00+02:00', '2026-10-26T00:00+01:00');
	expect(formatWindow(back, 0)).toMatch(/^25 Oct.* 00:00 – 26 Oct.* 00:00$/);
});

test('a shorter window is a time of day, with the day where the range is longer than a day', () => {
	const short = bounds('2026-11-20T10:22+01:00', '2026-11-20T10:32+01:00');
	expect(formatWindow(short, 0)).toBe('10:22–10:32');
	const long = bounds('2026-11-20T10:00+01:00', '2026-11-20T16:00+01:00', '2026-11-21T22:00+01:00');
	expect(formatWindow(long, 0)).toBe('20 Nov 10:00–16:00');
	const ofTwoYears = bounds('2025-12-31T10:00+01:00', '2025-12-31T16:00+01:00', '2026-01-01T22:00+01:00');
	expect(formatWindow(ofTwoYears, 0)).toBe('31 Dec 2025 10:00–16:00');
	expect(formatWindowStart(ofTwoYears, 1)).toBe('31 Dec 2025 16:00');
});
