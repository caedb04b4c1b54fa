import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chosenZone, localDateAt } from '#page/core/time-zone.ts';
import { timeTicks } from '#page/screens/trend/time-ticks.ts';

beforeAll(() => {
	chosenZone.value = 'Europe/Madrid';
});
afterAll(() => {
	chosenZone.value = '';
});

const clocks = (times: readonly number[]) =>
	times.map((time) =>
		new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Europe/Madrid' }).format(time),
	);

test('a day has ticks at round local hours', () => {
	const start = Date.parse('2026-11-20T16:12:00+01:00');
	const { unit, times } = timeTicks(start, start + 86_400_000, 8);
	expect(unit).toBe('minute');
	expect(clocks(times)).toEqual(['18:00', '21:00', '00:00', '03:00', '06:00', '09:00', '12:00', '15:00']);
});

test('the day on which clocks go back keeps its round hours, and none comes twice', () => {
	const start = Date.parse('2026-10-25T00:00:00+02:00');
	const { times } = timeTicks(start, Date.parse('2026-10-26T00:00:00+01:00'), 9);
	expect(clocks(times)).toEqual(['00:00', '03:00', '06:00', '09:00', '12:00', '15:00', '18:00', '21:00', '00:00']);
	expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(4 * 3_600_000);
});

test.each([
	[15, 9, ['02:00', '02:15', '02:30', '02:45', '02:00', '02:15', '02:30', '02:45', '03:00']],
	[60, 3, ['02:00', '02:00', '03:00']],
])('an hour that comes twice has its ticks twice, every %i minutes', (step, most, expected) => {
	const start = Date.parse('2026-10-25T02:00:00+02:00');
	const { times } = timeTicks(start, Date.parse('2026-10-25T03:00:00+01:00'), most);
	expect(clocks(times)).toEqual(expected);
	expect(times.slice(1).map((time, index) => time - (times[index] ?? 0))).toEqual(expected.slice(1).map(() => step * 60_000));
	const second = Date.parse('2026-10-25T02:00:00+01:00');
	expect(timeTicks(second + 1, second + 1_800_000, 10).times).toHaveLength(6);
});

test('the day on which clocks go forward has no tick at the hour that is skipped', () => {
	const start = Date.parse('2026-03-29T00:00:00+01:00');
	const { times } = timeTicks(start, start + 5 * 3_600_000, 12);
	expect(clocks(times)).not.toContain('02:00');
	expect(new Set(times).size).toBe(times.length);
});

test('weeks have ticks at local midnights, years at firsts of months', () => {
	const week = timeTicks(Date.parse('2026-10-22T10:00:00+02:00'), Date.parse('2026-10-29T10:00:00+01:00'), 8);
	expect([week.unit, ...new Set(clocks(week.times))]).toEqual(['day', '00:00']);
	expect(week.times).toHaveLength(7);
	const years = timeTicks(Date.parse('2024-01-15T00:00:00+01:00'), Date.parse('2026-11-21T00:00:00+01:00'), 6);
	expect(years.unit).toBe('month');
	expect(years.times.map((time) => localDateAt(time).getUTCDate())).toEqual(years.times.map(() => 1));
});

test('every range has ticks within it, in order, and not many more than asked for', () => {
	const starts = fc.integer({ min: Date.parse('2016-01-01'), max: Date.parse('2026-01-01') });
	fc.assert(
		fc.property(
			starts,
			fc.integer({ min: 60_000, max: 3660 * 86_400_000 }),
			fc.integer({ min: 2, max: 20 }),
			(start, length, most) => {
				const { times } = timeTicks(start, start + length, most);
				expect(times.length).toBeLessThanOrEqual(most + 2);
				for (const [index, time] of times.entries()) {
					expect(time).toBeGreaterThanOrEqual(start);
					expect(time).toBeLessThanOrEqual(start + length);
					expect(time).toBeGreaterThan(times[index - 1] ?? 0);
				}
			},
		),
		{ numRuns: 60 },
	);
});
