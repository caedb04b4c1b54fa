import fc from 'fast-check';
import { expect, test } from 'vitest';
import { durationOf, maxDurationMs, monthOf, monthStart, subtract, timeUnits } from '#domain/variable/duration.ts';
import { makeDuration, unitNamed } from '#test/support/builders/durations.ts';
import durations from '#test/vectors/durations.json' with { type: 'json' };
import subtractions from '#test/vectors/subtractions.json' with { type: 'json' };

const dayMs = 86_400_000;
const iso = (time: number): string => new Date(time).toISOString();

test.each(durations)('$count $unit: $reason', ({ count, unit, ms, months, refused }) => {
	const duration = durationOf(count, unitNamed(unit));
	if (refused !== undefined) expect(duration).toContain(refused);
	else expect(duration).toStrictEqual(months === undefined ? { ms } : { ms, months });
});

test('any count gives whole milliseconds from 1 to 100 y, or words', () => {
	fc.assert(
		fc.property(fc.double({ noNaN: true, min: 0, minExcluded: true }), fc.constantFrom(...timeUnits), (count, unit) => {
			const duration = durationOf(count, unit);
			if (typeof duration === 'string') return;
			expect(Number.isSafeInteger(duration.ms)).toBe(true);
			expect(duration.ms).toBeGreaterThanOrEqual(1);
			if (duration.months === undefined) expect(duration.ms).toBeLessThanOrEqual(maxDurationMs);
			else expect(Number.isInteger(duration.months) && duration.months >= 1 && duration.months <= 1200).toBe(true);
		}),
	);
});

test.each(subtractions)('$time - $count $unit: $reason', ({ time, count, unit, expect: expected }) => {
	expect(iso(subtract(Date.parse(time), makeDuration(count, unitNamed(unit))))).toBe(expected);
});

const times = fc.integer({ min: Date.parse('1800-01-01'), max: Date.parse('2300-01-01') });

test('subtracting months lands in the month as many before, at the same time of the same day or of its last', () => {
	fc.assert(
		fc.property(times, fc.integer({ min: 1, max: 1200 }), (time, months) => {
			const [from, to] = [new Date(time), new Date(subtract(time, { ms: 1, months }))];
			const monthIndex = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
			expect(monthIndex(to)).toBe(monthIndex(from) - months);
			expect(to.toISOString().slice(10)).toBe(from.toISOString().slice(10));
			const dayAfter = new Date(to.getTime() + 86_400_000);
			if (to.getUTCDate() !== from.getUTCDate()) {
				expect(to.getUTCDate()).toBeLessThan(from.getUTCDate());
				expect(dayAfter.getUTCDate()).toBe(1);
			}
		}),
	);
});

test('a month starts at its first instant', () => {
	fc.assert(
		fc.property(fc.integer({ min: -2040, max: 4000 }), (months) => {
			const start = monthStart(months);
			expect(new Date(start).toISOString()).toMatch(/-01T00:00:00\.000Z$/);
			expect(monthOf(start)).toBe(months);
			expect(monthOf(start - 1)).toBe(months - 1);
		}),
	);
});

test('months are numbered from January 1970 as the calendar has them, for centuries', () => {
	for (let index = -370 * 12; index <= 430 * 12; index += 1)
		expect(monthStart(index)).toBe(Date.UTC(1970 + Math.floor(index / 12), ((index % 12) + 12) % 12, 1));
});

const counts = fc.integer({ min: 1, max: 1200 });

test('a calendar duration is nominally never shorter than it is anywhere in the calendar', () => {
	fc.assert(
		fc.property(times, counts, fc.constantFrom('mo' as const, 'y' as const), (time, count, unit) => {
			const duration = durationOf(count, unit);
			return typeof duration === 'string' || time - subtract(time, duration) <= duration.ms;
		}),
	);
});

test('subtracting months keeps the order of days; times of day of days that are clamped to one may change theirs', () => {
	fc.assert(
		fc.property(times, fc.integer({ min: 0, max: 4 * dayMs }), counts, (time, later, count) => {
			const [from, to] = [time, time + later].map((each) => subtract(each, makeDuration(count, 'mo')));
			expect(Math.floor((from ?? Number.NaN) / dayMs)).toBeLessThanOrEqual(Math.floor((to ?? Number.NaN) / dayMs));
		}),
	);
});

test('subtracting more months is always earlier', () => {
	fc.assert(
		fc.property(times, fc.integer({ min: 1, max: 1199 }), (time, count) => {
			const less = subtract(time, makeDuration(count, 'mo'));
			expect(less).toBeLessThan(time);
			expect(subtract(time, makeDuration(count + 1, 'mo'))).toBeLessThan(less);
		}),
	);
});

test('adding the months again never passes the time that they were subtracted from', () => {
	fc.assert(
		fc.property(times, counts, (time, count) => {
			const back = subtract(time, makeDuration(count, 'mo'));
			// The day that is left fits the month that it came from, so that adding clamps nothing.
			expect(new Date(back).setUTCMonth(new Date(back).getUTCMonth() + count)).toBeLessThanOrEqual(time);
		}),
	);
});

test('subtracting a fixed duration is exact', () => {
	fc.assert(fc.property(times, fc.integer({ min: 1, max: maxDurationMs }), (time, ms) => subtract(time, { ms }) + ms === time));
});
