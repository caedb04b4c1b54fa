import fc from 'fast-check';
import { expect, test } from 'vitest';
import { durationOf, maxDurationMs, monthOf, monthStart, subtract, timeUnits } from '#domain/variable/duration.ts';
import { makeDuration, unitNamed } from '#test/support/builders/durations.ts';
import durations from '#test/vectors/durations.json' with { type: 'json' };
import subtractions from '#test/vectors/subtractions.json' with { type: 'json' };

const dayMs = 86_400_000;
const iso = (time: number): string => new Date(time).toISOString();

test.each(durations)('durationOf, $count $unit: $reason', ({ count, unit, ms, months, refused }) => {
	const duration = durationOf(count, unitNamed(unit));
	if (refused !== undefined) expect(duration).toMatchObject({ message: expect.stringContaining(refused) });
	else expect(duration).toStrictEqual(months === undefined ? { ms } : { ms, months });
});

/** Counts of any size, and counts that are likely to be valid. */
const anyCount = fc.oneof(
	fc.double({ noNaN: true, min: 0, minExcluded: true }),
	fc.double({ noNaN: true, min: 0.001, max: 1e5 }),
	fc.integer({ min: 1, max: 1300 }),
);

test('durationOf returns whole milliseconds from 1 to 100 y for any count, or a message', () => {
	let accepted = 0;
	fc.assert(
		fc.property(anyCount, fc.constantFrom(...timeUnits), (count, unit) => {
			const duration = durationOf(count, unit);
			if ('code' in duration) return;
			accepted += 1;
			expect(Number.isSafeInteger(duration.ms)).toBe(true);
			expect(duration.ms).toBeGreaterThanOrEqual(1);
			if (duration.months === undefined) expect(duration.ms).toBeLessThanOrEqual(maxDurationMs);
			else expect(Number.isInteger(duration.months) && duration.months >= 1 && duration.months <= 1200).toBe(true);
		}),
	);
	expect(accepted).toBeGreaterThan(0);
});

test.each(subtractions)('subtract, $time - $count $unit: $reason', ({ time, count, unit, expect: expected }) => {
	expect(iso(subtract(Date.parse(time), makeDuration(count, unitNamed(unit))))).toBe(expected);
});

const times = fc.integer({ min: Date.parse('1800-01-01'), max: Date.parse('2300-01-01') });

test('subtracting months gives the month that many before, with the same time on the same day or the last day', () => {
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

test('monthStart returns the first instant of a month', () => {
	fc.assert(
		fc.property(fc.integer({ min: -2040, max: 4000 }), (months) => {
			const start = monthStart(months);
			expect(new Date(start).toISOString()).toMatch(/-01T00:00:00\.000Z$/);
			expect(monthOf(start)).toBe(months);
			expect(monthOf(start - 1)).toBe(months - 1);
		}),
	);
});

test('monthStart follows the calendar for centuries', () => {
	for (let index = -370 * 12; index <= 430 * 12; index += 1)
		expect(monthStart(index)).toBe(Date.UTC(1970 + Math.floor(index / 12), ((index % 12) + 12) % 12, 1));
});

const counts = fc.integer({ min: 1, max: 1200 });

test('the `ms` of a calendar duration is never less than its length in the calendar', () => {
	let accepted = 0;
	fc.assert(
		fc.property(times, counts, fc.constantFrom('mo' as const, 'y' as const), (time, count, unit) => {
			const duration = durationOf(count, unit);
			if ('code' in duration) return;
			accepted += 1;
			expect(time - subtract(time, duration)).toBeLessThanOrEqual(duration.ms);
		}),
	);
	expect(accepted).toBeGreaterThan(0);
});

test('subtracting months keeps the order of days', () => {
	fc.assert(
		fc.property(times, fc.integer({ min: 0, max: 4 * dayMs }), counts, (time, later, count) => {
			const [from, to] = [time, time + later].map((each) => subtract(each, makeDuration(count, 'mo')));
			expect(Math.floor((from ?? Number.NaN) / dayMs)).toBeLessThanOrEqual(Math.floor((to ?? Number.NaN) / dayMs));
		}),
	);
});

test('subtracting more months gives an earlier time', () => {
	fc.assert(
		fc.property(times, fc.integer({ min: 1, max: 1199 }), (time, count) => {
			const less = subtract(time, makeDuration(count, 'mo'));
			expect(less).toBeLessThan(time);
			expect(subtract(time, makeDuration(count + 1, 'mo'))).toBeLessThan(less);
		}),
	);
});

test('adding the subtracted months never exceeds the original time', () => {
	fc.assert(
		fc.property(times, counts, (time, count) => {
			const back = subtract(time, makeDuration(count, 'mo'));
			// The remaining day exists in the original month, so that adding does not clamp.
			expect(new Date(back).setUTCMonth(new Date(back).getUTCMonth() + count)).toBeLessThanOrEqual(time);
		}),
	);
});

test('subtracting a fixed duration is exact', () => {
	fc.assert(fc.property(times, fc.integer({ min: 1, max: maxDurationMs }), (time, ms) => subtract(time, { ms }) + ms === time));
});
