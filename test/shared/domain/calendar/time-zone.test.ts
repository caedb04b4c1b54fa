import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTimeZone } from '#domain/calendar/time-zone.ts';
import { zoneNamed } from '#test/support/builders/calendars.ts';

const minuteMs = 60_000;
const names = Intl.supportedValuesOf('timeZone');

/** Reads the offset from Intl's `GMT-00:44:30`, which does not depend on the local time that it shows. */
const offsetInName = (zone: string, ms: number): number => {
	const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
	const text = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
	const [, sign, ...numbers] = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text) ?? [];
	const [hours = 0, minutes = 0, seconds = 0] = numbers.map((number) => Number(number ?? 0));
	return (sign === '-' ? -1000 : 1000) * ((hours * 60 + minutes) * 60 + seconds);
};

test.each([
	['Europe/Madrid', 'Europe/Madrid'],
	['europe/MADRID', 'Europe/Madrid'],
	['US/Eastern', 'America/New_York'],
	['UTC', 'UTC'],
	['utc', 'UTC'],
	['Etc/GMT', 'UTC'],
	['Etc/GMT+5', 'Etc/GMT+5'],
])('opens %s as %s', (name, canonical) => {
	expect(openTimeZone(name)?.name).toBe(canonical);
});

test.each([
	'',
	'Nowhere',
	'Europe',
	'+05:30',
	'-03:00',
	'+05',
	'+00:00',
	'\u221205:30',
	'Europe/Madrid ',
	'Europe/Madrid\0',
	'x'.repeat(100_000),
])('refuses %j', (name) => {
	expect(openTimeZone(name)).toBeNull();
});

test.each([
	['Europe/Madrid', '2024-03-31T01:00:00Z', 60, 120],
	['Europe/Madrid', '2024-10-27T01:00:00Z', 120, 60],
	['America/New_York', '2024-03-10T07:00:00Z', -300, -240],
	['Australia/Lord_Howe', '2024-04-06T15:00:00Z', 660, 630],
	['Asia/Kathmandu', '1985-12-31T18:30:00Z', 330, 345],
	['Africa/Monrovia', '1972-01-07T00:44:30Z', -44.5, 0],
	['Pacific/Apia', '2011-12-30T10:00:00Z', -600, 840],
	['America/Recife', '2000-10-08T03:00:00Z', -180, -120],
	['America/Recife', '2000-10-15T02:00:00Z', -120, -180],
])('the offset of %s changes at %s from %f to %f minutes', (name, time, before, after) => {
	const { offsetAt } = zoneNamed(name);
	const at = Date.parse(time);
	expect([offsetAt(at - 1), offsetAt(at)]).toEqual([before * minuteMs, after * minuteMs]);
});

test('the offset at any time from 1900 to 2100 is the one that Intl names', () => {
	const anyTime = fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2100, 0) });
	fc.assert(
		fc.property(fc.constantFrom(...names), anyTime, (name, ms) => {
			expect(zoneNamed(name).offsetAt(ms)).toBe(offsetInName(name, ms));
		}),
		{ numRuns: 300 },
	);
});

test('offsets do not depend on the order in which years are asked for', () => {
	const times = Array.from({ length: 60 }, (_, index) => Date.UTC(2000 + ((index * 37) % 60), index % 12, 1 + (index % 28)));
	const { offsetAt } = zoneNamed('America/Santiago');
	expect(times.map(offsetAt)).toEqual(times.map((time) => offsetInName('America/Santiago', time)));
});

test('keeps the 50 zones used last', () => {
	const first = openTimeZone('Europe/Madrid');
	for (const name of names.slice(0, 49)) openTimeZone(name);
	expect(openTimeZone('Europe/Madrid')).toBe(first);
	for (const name of names.slice(0, 50)) openTimeZone(name);
	expect(openTimeZone('Europe/Madrid')).not.toBe(first);
});
