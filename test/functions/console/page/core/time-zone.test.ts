import { afterEach, expect, test } from 'vitest';
import { chosenZone, dayStartAt, instantAt, isSameDay, viewZone } from '#page/core/time-zone.ts';
import { formatClock, formatDay, zoneAbbreviation, zoneName } from '#page/format/time.ts';
import { timeTicks } from '#page/screens/trend/time-ticks.ts';

const time = Date.parse('2026-11-21T23:30:00Z');

afterEach(() => {
	chosenZone.value = '';
});

test.each([
	['UTC', '23:30', '21 Nov', 'UTC'],
	['Europe/Madrid', '00:30', '22 Nov', 'CET (UTC+1)'],
	['America/Bogota', '18:30', '21 Nov', 'UTC-5'],
])('%s has its own clock, day and name', (zone, clock, day, name) => {
	chosenZone.value = zone;
	expect([formatClock(time), formatDay(time), zoneName(time)]).toEqual([clock, day, name]);
	expect(viewZone().name).toBe(zone);
});

test.each([
	['Europe/Madrid', 'CEST', 'CET'],
	['Europe/London', 'BST', 'GMT'],
	// Zones without an abbreviation in the language have their offset.
	['America/New_York', 'UTC-4', 'UTC-5'],
	['Australia/Lord_Howe', 'UTC+10:30', 'UTC+11'],
	['UTC', 'UTC', 'UTC'],
])('%s is abbreviated, in July and in December', (zone, july, december) => {
	const times = [Date.parse('2026-07-01T12:00:00Z'), Date.parse('2026-12-01T12:00:00Z')];
	expect(times.map((each) => zoneAbbreviation(each, zone))).toEqual([july, december]);
	expect(zoneName(time)).not.toBe('');
});

test.each([
	['Europe/Madrid', '2026-10-24T23:59Z', ['01:59', '02:59 CEST', '02:59 CET', '03:59']],
	['America/New_York', '2026-11-01T04:59Z', ['00:59', '01:59 UTC-4', '01:59 UTC-5', '02:59']],
	['Australia/Lord_Howe', '2026-04-04T13:45Z', ['00:45', '01:45 UTC+11', '01:45 UTC+10:30', '02:15']],
] as const)('in %s, a time that occurs twice says its zone', (zone, from, clocks) => {
	chosenZone.value = zone;
	const halfHour = zone === 'Australia/Lord_Howe' ? 0.5 : 1;
	const first = Date.parse(from);
	const times = [first, first + 3_600_000, first + (1 + halfHour) * 3_600_000, first + (1 + 2 * halfHour) * 3_600_000];
	expect(times.map((each) => formatClock(each))).toEqual(clocks);
});

test('a day begins at its local midnight, also where clocks change in it', () => {
	chosenZone.value = 'Europe/Madrid';
	const noon = Date.parse('2026-10-25T12:00:00+01:00');
	expect(dayStartAt(noon)).toBe(Date.parse('2026-10-25T00:00:00+02:00'));
	expect([12.5, 13.5].map((hours) => isSameDay(noon, noon - hours * 3_600_000))).toEqual([true, false]);
	expect(instantAt(2026, 9, 25, 24)).toBe(Date.parse('2026-10-26T00:00:00+01:00'));
	const ticks = timeTicks(dayStartAt(noon), dayStartAt(noon) + 25 * 3_600_000, 9);
	expect(ticks.times.map((tick) => formatClock(tick))).toEqual([
		'00:00',
		'03:00',
		'06:00',
		'09:00',
		'12:00',
		'15:00',
		'18:00',
		'21:00',
		'00:00',
	]);
});
