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
