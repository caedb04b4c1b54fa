import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantOf, localTimeAt, occursTwice } from '#domain/calendar/local-time.ts';
import { zoneNamed } from '#test/support/builders/calendars.ts';

const minuteMs = 60_000;

test.each([
	['an ordinary time', 'Europe/Madrid', '2024-06-01T12:00', '2024-06-01T10:00Z'],
	['the last millisecond before a gap', 'Europe/Madrid', '2024-03-31T01:59:59.999', '2024-03-31T00:59:59.999Z'],
	['the first time of a gap', 'Europe/Madrid', '2024-03-31T02:00', '2024-03-31T01:00Z'],
	['a time inside a gap', 'Europe/Madrid', '2024-03-31T02:30', '2024-03-31T01:30Z'],
	['the first time after a gap', 'Europe/Madrid', '2024-03-31T03:00', '2024-03-31T01:00Z'],
	['a time that occurs twice', 'Europe/Madrid', '2024-10-27T02:30', '2024-10-27T00:30Z'],
	['the first time that occurs once again', 'Europe/Madrid', '2024-10-27T03:00', '2024-10-27T02:00Z'],
	['a skipped midnight', 'America/Santiago', '2024-09-08T00:00', '2024-09-08T04:00Z'],
	['a gap of half an hour', 'Australia/Lord_Howe', '2024-10-06T02:15', '2024-10-05T15:45Z'],
	['a day that did not exist', 'Pacific/Apia', '2011-12-30T06:00', '2011-12-30T16:00Z'],
	['a time in UTC', 'UTC', '2024-03-31T02:30', '2024-03-31T02:30Z'],
])('takes %s as Temporal does: %s %s', (_, zone, local, instant) => {
	expect(new Date(instantOf(Date.parse(`${local}Z`), zoneNamed(zone)))).toEqual(new Date(instant));
});

test('a local time is the first instant that shows it, or moves on by the length of the gap, and says whether there are two', () => {
	const zones = [
		'America/Santiago',
		'Europe/Madrid',
		'Australia/Lord_Howe',
		'Africa/Casablanca',
		'Pacific/Apia',
		'Africa/Monrovia',
	];
	const counts = { shown: 0, skipped: 0, twice: 0 };
	const anyLocal = fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2030, 0) });
	fc.assert(
		fc.property(fc.constantFrom(...zones), anyLocal, fc.boolean(), (name, anywhere, atChange) => {
			const zone = zoneNamed(name);
			const local = atChange ? nearChange(zone.offsetAt, anywhere) : anywhere;
			const offsets = Array.from({ length: 49 }, (_, step) => zone.offsetAt(local + (step - 24) * 60 * minuteMs));
			const all = new Set(offsets.map((offset) => local - offset));
			const instants = [...all].filter((instant) => localTimeAt(instant, zone) === local);
			counts[instants.length > 0 ? 'shown' : 'skipped'] += 1;
			const expected = instants.length > 0 ? Math.min(...instants) : local - (offsets[0] ?? 0);
			expect(instantOf(local, zone)).toBe(expected);
			const isTwice = instants.length > 1;
			expect(instants.map((instant) => occursTwice(instant, zone))).toEqual(instants.map(() => isTwice));
			if (isTwice) counts.twice += 1;
		}),
		{ numRuns: 500 },
	);
	expect(counts.shown).toBeGreaterThan(0);
	expect(counts.skipped).toBeGreaterThan(0);
	expect(counts.twice).toBeGreaterThan(0);
});

/** Returns a local time within 90 minutes of the first change of the offset in the year after `from`, or `from` without a change. */
const nearChange = (offsetAt: (ms: number) => number, from: number): number => {
	const hour = 60 * minuteMs;
	const start = Math.floor(from / hour) * hour;
	for (let at = start; at < start + 366 * 24 * hour; at += hour)
		if (offsetAt(at) !== offsetAt(at + hour)) return at + hour + offsetAt(at) + ((from % 180) - 90) * minuteMs;
	return from;
};
