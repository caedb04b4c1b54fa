import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fixedWindows, periodWindows, runsOf } from '#adapters/influx/window-runs.ts';
import { at, day, hour, minute, months } from '#test/contract/time-series/feed.ts';

const run = (start: number, stop: number, windows: string) => ({ range: { start, stop }, windows });
const boundsOf = (...times: readonly string[]): readonly number[] => times.map(at);

describe('runsOf', () => {
	test('joins neighbouring windows of equal length', () => {
		expect(runsOf([0, 60, 120, 180, 280, 380])).toEqual([
			run(0, 180, 'every: 60ms'),
			run(180, 380, 'every: 100ms, offset: 80ms'),
		]);
	});

	test.each([
		['the first', [30, 60, 120, 180], 'every: 60ms'],
		['the last', [10, 70, 130, 150], 'every: 60ms, offset: 10ms'],
		['both', [30, 70, 130, 150], 'every: 60ms, offset: 10ms'],
		['the first of two', [30, 60, 120], 'every: 60ms'],
		['the last of two', [10, 70, 71], 'every: 60ms, offset: 10ms'],
	])('takes %s as cut where it is shorter than its neighbour', (_, bounds, windows) => {
		expect(runsOf(bounds)).toEqual([run(bounds[0] ?? 0, bounds.at(-1) ?? 0, windows)]);
	});

	test('reads a first and a last window that are longer than their neighbours alone', () => {
		expect(runsOf([0, 100, 160, 220, 400])).toEqual([
			run(0, 100, 'every: 100ms'),
			run(100, 220, 'every: 60ms, offset: 40ms'),
			run(220, 400, 'every: 180ms, offset: 40ms'),
		]);
	});

	test('reads one window as it is', () => {
		expect(runsOf([70, 130])).toEqual([run(70, 130, 'every: 60ms, offset: 10ms')]);
	});

	test('reads days of a time zone in one run for each offset', () => {
		// Madrid: the 31st of March 2024 has 23 hours.
		const starts = ['2024-03-28T23:00Z', '2024-03-29T23:00Z', '2024-03-30T23:00Z', '2024-03-31T22:00Z', '2024-04-01T22:00Z'];
		const bounds = boundsOf(...starts);
		expect(runsOf(bounds)).toEqual([
			run(bounds[0] ?? 0, bounds[2] ?? 0, `every: ${day.ms}ms, offset: ${23 * hour.ms}ms`),
			run(bounds[2] ?? 0, bounds[3] ?? 0, fixedWindows(23 * hour.ms, bounds[2] ?? 0)),
			run(bounds[3] ?? 0, bounds[4] ?? 0, `every: ${day.ms}ms, offset: ${22 * hour.ms}ms`),
		]);
	});

	test.each([
		['months', boundsOf('2024-01-10', '2024-02-01', '2024-03-01', '2024-04-01', '2024-04-10'), 'every: 1mo'],
		['quarters', boundsOf('2023-11-10', '2024-01-01', '2024-04-01', '2024-07-01'), 'every: 3mo'],
		['years', boundsOf('2021-06-01', '2022-01-01', '2023-01-01', '2024-01-01', '2024-01-02'), 'every: 12mo'],
	])('reads %s in UTC in one run', (_, bounds, windows) => {
		expect(runsOf(bounds)).toEqual([run(bounds[0] ?? 0, bounds.at(-1) ?? 0, windows)]);
	});

	test.each([
		['quarters that begin in February', boundsOf('2024-02-01', '2024-05-01', '2024-08-01', '2024-11-01', '2025-02-01')],
		['a first window longer than a month', boundsOf('2023-12-31', '2024-02-01', '2024-03-01', '2024-04-01')],
		['a last window longer than a month', boundsOf('2024-01-01', '2024-02-01', '2024-03-01', '2024-04-02')],
		['a month that is missing', boundsOf('2024-01-01', '2024-02-01', '2024-03-01', '2024-05-01', '2024-06-01')],
	])('does not read by the calendar: %s', (_, bounds) => {
		for (const { windows } of runsOf(bounds)) expect(windows).toMatch(/^every: \d+ms/);
	});

	test('covers every window once: the windows of a run, cut to its range, are those of the bounds', () => {
		const lengths = fc.array(fc.constantFrom(1, 7, 60, 60, 60, 3600, 3600), { minLength: 1, maxLength: 40 });
		fc.assert(
			fc.property(fc.integer({ min: -1e6, max: 1e6 }), lengths, (start, windowLengths) => {
				const bounds = [start];
				for (const length of windowLengths) bounds.push((bounds.at(-1) ?? 0) + length);
				const made = runsOf(bounds).flatMap(({ range, windows }) => {
					const [every = 0, offset = 0] = [...windows.matchAll(/(\d+)ms/g)].map(([, digits]) => Number(digits));
					const ends: number[] = [];
					for (let end = Math.floor((range.start - offset) / every) * every + offset + every; end < range.stop; end += every)
						ends.push(end);
					return [...ends, range.stop];
				});
				expect([start, ...made]).toEqual(bounds);
			}),
		);
	});
});

describe('the windows of a history', () => {
	test('are multiples of the period', () => {
		expect(periodWindows(minute)).toBe('every: 60000ms');
		expect(periodWindows(months(3))).toBe('every: 3mo');
	});
});
