import { describe, expect, test } from 'vitest';
import { boundsOf, countBounds, periodFits } from '#domain/calendar/bounds.ts';
import { makeCalendar } from '#test/support/builders/calendars.ts';
import { makeDuration } from '#test/support/builders/durations.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const day = makeDuration(1, 'd');
const utc = makeCalendar();
const rangeOf = (start: string, stop: string) => ({ start: Date.parse(start), stop: Date.parse(stop) });
const iso = (bounds: readonly number[]): string[] => bounds.map((bound) => new Date(bound).toISOString().slice(0, 16));
const hours = (bounds: readonly number[]): number[] =>
	bounds.slice(1).map((bound, index) => (bound - (bounds[index] ?? 0)) / hourMs);

describe('days', () => {
	test.each([
		['Europe/Madrid', '2024-03-31', '2024-03-30T23:00Z', '2024-03-31T22:00Z', 23],
		['Europe/Madrid', '2024-10-27', '2024-10-26T22:00Z', '2024-10-27T23:00Z', 25],
		['Europe/Madrid', '2024-06-01', '2024-05-31T22:00Z', '2024-06-01T22:00Z', 24],
		['Australia/Lord_Howe', '2024-10-06', '2024-10-05T13:30Z', '2024-10-06T13:00Z', 23.5],
		['Australia/Lord_Howe', '2024-04-07', '2024-04-06T13:00Z', '2024-04-07T13:30Z', 24.5],
		['America/Santiago', '2024-09-08', '2024-09-08T04:00Z', '2024-09-09T03:00Z', 23],
		['America/Santiago', '2024-04-06', '2024-04-06T03:00Z', '2024-04-07T04:00Z', 25],
		['Asia/Kathmandu', '2024-04-06', '2024-04-05T18:15Z', '2024-04-06T18:15Z', 24],
		['UTC', '2024-04-06', '2024-04-06T00:00Z', '2024-04-07T00:00Z', 24],
	])('in %s, %s goes from %s to %s: %d h', (zone, _, start, stop, length) => {
		const range = rangeOf(start, stop);
		const wider = { start: range.start - hourMs, stop: range.stop + hourMs };
		expect(hours(boundsOf(wider, day, makeCalendar(zone)))).toEqual([1, length, 1]);
		expect(boundsOf(wider, day, makeCalendar(zone)).slice(1, -1)).toEqual([range.start, range.stop]);
	});

	test('a day that did not exist has no window', () => {
		const bounds = boundsOf(rangeOf('2011-12-28T10:00Z', '2012-01-01T10:00Z'), day, makeCalendar('Pacific/Apia'));
		expect(iso(bounds)).toEqual([
			'2011-12-28T10:00',
			'2011-12-29T10:00',
			'2011-12-30T10:00',
			'2011-12-31T10:00',
			'2012-01-01T10:00',
		]);
	});

	test('a day that begins at a time that the clock skips begins later by the length of the gap', () => {
		const bounds = boundsOf(rangeOf('2024-03-29T12:00Z', '2024-04-02T12:00Z'), day, makeCalendar('Europe/Madrid', '02:30'));
		expect(hours(bounds)).toEqual([13.5, 24, 23, 24, 11.5]);
		expect(
			hours(boundsOf(rangeOf('2024-03-30T01:30Z', '2024-04-01T00:30Z'), day, makeCalendar('Europe/Madrid', '02:30'))),
		).toEqual([24, 23]);
	});

	test('several days are counted from 1 January 1970, and weeks from a Monday', () => {
		expect(iso(boundsOf(rangeOf('1970-01-01', '1970-01-09'), makeDuration(3, 'd'), utc))).toEqual([
			'1970-01-01T00:00',
			'1970-01-04T00:00',
			'1970-01-07T00:00',
			'1970-01-09T00:00',
		]);
		for (const weeks of [1, 2, 53])
			for (const bound of boundsOf(rangeOf('2020-01-01', '2024-01-01'), makeDuration(7 * weeks, 'd'), utc).slice(1, -1)) {
				expect(new Date(bound).getUTCDay()).toBe(1);
				expect((bound - Date.UTC(1969, 11, 29)) % (7 * weeks * dayMs)).toBe(0);
			}
	});

	test('24 h are a day, and 168 h a week', () => {
		const range = rangeOf('2024-03-20', '2024-04-20');
		const madrid = makeCalendar('Europe/Madrid', '06:00');
		expect(boundsOf(range, makeDuration(24, 'h'), madrid)).toEqual(boundsOf(range, day, madrid));
		expect(boundsOf(range, makeDuration(168, 'h'), madrid)).toEqual(boundsOf(range, makeDuration(7, 'd'), madrid));
	});
});

test('months begin at the start of their first day', () => {
	expect(
		iso(boundsOf(rangeOf('2024-02-10', '2024-12-01'), makeDuration(3, 'mo'), makeCalendar('Europe/Madrid', '06:00'))),
	).toEqual(['2024-02-10T00:00', '2024-04-01T04:00', '2024-07-01T04:00', '2024-10-01T04:00', '2024-12-01T00:00']);
});

describe('periods below a day', () => {
	test('are multiples since the epoch in UTC, whether or not they divide a day', () => {
		expect(boundsOf({ start: 10, stop: 50 }, { ms: 7 }, utc)).toEqual([10, 14, 21, 28, 35, 42, 49, 50]);
		expect(boundsOf({ start: 14, stop: 28 }, { ms: 7 }, utc)).toEqual([14, 21, 28]);
		expect(iso(boundsOf(rangeOf('1970-01-01', '1970-01-05'), { ms: 36 * hourMs }, utc))).toEqual([
			'1970-01-01T00:00',
			'1970-01-02T12:00',
			'1970-01-04T00:00',
			'1970-01-05T00:00',
		]);
	});

	test('begin with each day, and the last one ends with the day', () => {
		const madrid = makeCalendar('Europe/Madrid');
		const sixHours = makeDuration(6, 'h');
		expect(hours(boundsOf(rangeOf('2024-03-30T23:00Z', '2024-04-01T22:00Z'), sixHours, madrid))).toEqual([
			6, 6, 6, 5, 6, 6, 6, 6,
		]);
		expect(hours(boundsOf(rangeOf('2024-10-26T22:00Z', '2024-10-28T23:00Z'), sixHours, madrid))).toEqual([
			6, 6, 6, 6, 1, 6, 6, 6, 6,
		]);
		const lordHowe = makeCalendar('Australia/Lord_Howe');
		expect(hours(boundsOf(rangeOf('2024-10-06T11:30Z', '2024-10-06T15:00Z'), makeDuration(1, 'h'), lordHowe))).toEqual([
			1, 0.5, 1, 1,
		]);
	});

	test('of a day whose successor begins late, because the clock skips its start, go on until then', () => {
		const range = rangeOf('2024-03-31T01:10Z', '2024-03-31T01:40Z');
		expect(iso(boundsOf(range, makeDuration(15, 'm'), makeCalendar('Europe/Madrid', '02:30')))).toEqual([
			'2024-03-31T01:10',
			'2024-03-31T01:15',
			'2024-03-31T01:30',
			'2024-03-31T01:40',
		]);
	});

	test('begin at the start of the day in UTC, too', () => {
		const bounds = boundsOf(rangeOf('2024-01-01', '2024-01-02'), makeDuration(12, 'h'), makeCalendar('UTC', '06:30'));
		expect(iso(bounds)).toEqual(['2024-01-01T00:00', '2024-01-01T06:30', '2024-01-01T18:30', '2024-01-02T00:00']);
	});
});

test('a range inside one window has that window only, even where its day began before a change of the clock', () => {
	const range = rangeOf('2024-03-31T01:10Z', '2024-03-31T01:11Z');
	for (const period of [makeDuration(12, 'h'), day, makeDuration(7, 'd'), makeDuration(1, 'y')])
		expect(boundsOf(range, period, makeCalendar('Europe/Madrid', '02:30'))).toEqual([range.start, range.stop]);
});

test.each([
	[{ ms: hourMs }, true, true],
	[{ ms: 12 * hourMs }, true, true],
	[{ ms: 7 * hourMs }, true, false],
	[{ ms: 36 * hourMs }, true, false],
	[{ ms: 7 }, true, false],
	[{ ms: dayMs }, true, true],
	[{ ms: 2 * dayMs }, true, true],
	[{ ms: 31 * dayMs, months: 1 }, true, true],
])('whether %j fits UTC: %j, and a zone or another start of the day: %j', (period, inUtc, elsewhere) => {
	expect(periodFits(period, utc)).toBe(inUtc);
	expect(periodFits(period, makeCalendar('Etc/GMT'))).toBe(inUtc);
	expect(periodFits(period, makeCalendar('Europe/Madrid'))).toBe(elsewhere);
	expect(periodFits(period, makeCalendar('UTC', '00:30'))).toBe(elsewhere);
});

test('counts a billion windows without building them', () => {
	const range = rangeOf('2014-01-01', '2024-01-01');
	expect(countBounds(range, { ms: 1 }, utc)).toBe(range.stop - range.start + 1);
	expect(countBounds(range, { ms: 1 }, makeCalendar('America/Santiago', '06:00'))).toBe(range.stop - range.start + 1);
});
