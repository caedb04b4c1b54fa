import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundsOf } from '#domain/calendar/bounds.ts';
import { choosePeriod } from '#domain/calendar/period-choice.ts';
import { makeCalendar } from '#test/support/builders/calendars.ts';
import { durationNamed, makeDuration } from '#test/support/builders/durations.ts';

const dayMs = 86_400_000;
const start = Date.UTC(2024, 0, 1);
const utc = makeCalendar();
const choose = (length: number, points: number, shortestMs = 1, calendar = utc, from = start): string => {
	const { count, unit } = choosePeriod({ start: from, stop: from + length }, points, shortestMs, calendar);
	return `${count} ${unit}`;
};
const periods = [
	'1 s',
	'5 s',
	'10 s',
	'30 s',
	'1 m',
	'5 m',
	'10 m',
	'15 m',
	'30 m',
	'1 h',
	'2 h',
	'6 h',
	'12 h',
	'1 d',
	'7 d',
].concat('1 mo', '3 mo', '1 y');
const lengthOf = (period: string) => {
	const [count, unit] = period.split(' ');
	return durationNamed([Number(count), unit]);
};

describe('of a range in UTC', () => {
	test.each(periods.slice(0, 14).map((period, index) => [period, periods[index + 1] ?? '']))(
		'100 windows of %s fit 100 points; a millisecond more takes %s',
		(period, next) => {
			const { ms } = lengthOf(period);
			// Monday 1 January 2024 is a bound of every period but 7 d, so that a millisecond more is one more window.
			expect(choose(100 * ms, 100)).toBe(period);
			expect(choose(100 * ms + 1, 100)).toBe(next);
		},
	);

	test('the windows of a range that begins inside one count as they are, with both cut ends', () => {
		expect(choose(100_000, 100, 1, utc, start + 1)).toBe('5 s');
		expect(choose(99_999, 100, 1, utc, start + 1)).toBe('1 s');
	});

	test('20 weeks, months, quarters', () => {
		expect(choose(140 * dayMs, 20)).toBe('7 d');
		expect(choose(140 * dayMs + 1, 20)).toBe('1 mo');
		expect(choose(Date.UTC(2025, 8, 1) - start, 20)).toBe('1 mo');
		expect(choose(Date.UTC(2025, 8, 1) - start + 1, 20)).toBe('3 mo');
		expect(choose(Date.UTC(2029, 0, 1) - start, 20)).toBe('3 mo');
		expect(choose(Date.UTC(2029, 0, 1) - start + 1, 20)).toBe('1 y');
	});

	test('a year where not even years are few enough', () => {
		expect(choose(Date.UTC(2064, 0, 1) - start, 20)).toBe('1 y');
	});
});

test('no period is shorter than the shortest that was asked for', () => {
	expect(choose(1000, 500, 1000)).toBe('1 s');
	expect(choose(1000, 500, 1001)).toBe('5 s');
	expect(choose(1000, 500, dayMs)).toBe('1 d');
	expect(choose(1000, 500, dayMs + 1)).toBe('7 d');
	expect(choose(1000, 500, makeDuration(1, 'mo').ms)).toBe('1 mo');
	expect(choose(1000, 500, makeDuration(100, 'y').ms)).toBe('1 y');
});

test('a day of 25 hours in Madrid has 25 windows of an hour', () => {
	const madrid = makeCalendar('Europe/Madrid');
	const day = Date.parse('2024-10-26T22:00Z');
	expect(choose(25 * 3_600_000, 25, 600_000, madrid, day)).toBe('1 h');
	expect(choose(25 * 3_600_000, 24, 600_000, madrid, day)).toBe('2 h');
});

test('20 days in Madrid are 20 windows, although one of them has 25 hours', () => {
	const madrid = makeCalendar('Europe/Madrid');
	const from = Date.parse('2024-10-19T22:00Z');
	expect(choose(20 * dayMs + 3_600_000, 20, 1, madrid, from)).toBe('1 d');
	expect(choose(20 * dayMs + 3_600_001, 20, 1, madrid, from)).toBe('7 d');
});

test('the choice is the first period of the list that gives few enough windows and is long enough', () => {
	const anyCase = fc.record({
		calendar: fc.constantFrom(utc, makeCalendar('America/St_Johns', '06:00'), makeCalendar('Pacific/Apia', '00:30')),
		from: fc.integer({ min: Date.UTC(2011, 0), max: Date.UTC(2024, 0) }),
		windows: fc.integer({ min: 1, max: 700 }),
		near: fc.constantFrom(...periods.slice(0, 15)),
		points: fc.integer({ min: 20, max: 500 }),
		shortestMs: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40 * dayMs })),
	});
	fc.assert(
		fc.property(anyCase, ({ calendar, from, windows, near, points, shortestMs }) => {
			const length = Math.min(windows * lengthOf(near).ms, 3653 * dayMs);
			const range = { start: from, stop: from + length };
			const few = periods.find((period) => {
				const duration = lengthOf(period);
				return (
					duration.ms >= shortestMs && length / duration.ms < 2000 && boundsOf(range, duration, calendar).length <= points + 1
				);
			});
			expect(choose(length, points, shortestMs, calendar, from)).toBe(few ?? '1 y');
		}),
	);
});
