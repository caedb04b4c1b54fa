import { expect, test } from 'vitest';
import { timeCountsOf } from '#infra/tools/replay/number-times.ts';
import { createCellTimeReader } from '#infra/tools/replay/time.ts';

const at = (iso: string): number => Date.parse(iso);
const nowMs = at('2026-11-27T20:00:00Z');
const read = (cell: string, options: { timeFormat?: string; timeZone?: string } = {}) =>
	createCellTimeReader({ nowMs, ...options })(cell);

test.each([
	['2017-01-04 00:00:00', at('2017-01-04T00:00:00Z')],
	['2017-01-04T00:00:00', at('2017-01-04T00:00:00Z')],
	['2017-01-04T00:00', at('2017-01-04T00:00:00Z')],
	['2017-01-04', at('2017-01-04T00:00:00Z')],
	[' 2017-01-04 01:02:03.5 ', at('2017-01-04T01:02:03.500Z')],
	['2017-01-04T01:02:03.123456789Z', at('2017-01-04T01:02:03.123Z')],
	['2017-01-04t01:02:03z', at('2017-01-04T01:02:03Z')],
	['2017-01-04 01:02:03 +02:00', at('2017-01-03T23:02:03Z')],
	['2017-01-04T01:02:03-0530', at('2017-01-04T06:32:03Z')],
	['2017-01-04T01:02:03+14', at('2017-01-03T11:02:03Z')],
	['2016-02-29 00:00:00', at('2016-02-29T00:00:00Z')],
	['1483488000', at('2017-01-04T00:00:00Z')],
	['1483488000.25', at('2017-01-04T00:00:00.250Z')],
	['1483488000,25', at('2017-01-04T00:00:00.250Z')],
	['1483488000000', at('2017-01-04T00:00:00Z')],
	[String(at('2002-01-01T00:00:00Z') / 1000), at('2002-01-01T00:00:00Z')],
	[String(at('2002-01-01T00:00:00Z') / 1000 - 1), null],
	[String(at('2027-11-28T20:00:00Z')), at('2027-11-28T20:00:00Z')],
	[String(at('2027-11-28T20:00:00Z') + 1), null],
	['-1', null],
	['0', null],
	['9223372036855', null],
	['2017-02-29 00:00:00', null],
	['2017-13-01 00:00:00', null],
	['2017-01-04 24:00:00', null],
	['2017-01-04 00:60:00', null],
	['2017-01-04T00:00:00+15:00', null],
	['2017-01-04T00:00:00+01:60', null],
	['04/01/2017 00:00', null],
	['2262-01-01', at('2262-01-01T00:00:00Z')],
	['2263-01-01', null],
	['yesterday', null],
	['', null],
	['1e9', null],
])('parses %j as %j', (cell, expected) => {
	expect(read(cell)).toEqual(expected === null ? null : [expected]);
});

/** 2026-10-25 in many counts. None is an epoch number. Of two counts, the other is an earlier year. */
test.each([
	['46320', ['days of Excel (--time-format excel)']],
	['46320.0416666667', ['days of Excel (--time-format excel)']],
	['44858', ['days of Excel (--time-format excel)', 'days of Excel since 1904']],
	['2461338.5', ['Julian days']],
	['61338', ['modified Julian days']],
	['740280', ['days of MATLAB']],
	['498024', ['hours since 1970']],
	['29881440', ['minutes since 1970']],
	['3875731200', ['seconds since 1904, as of LabVIEW', 'seconds since 1900, as of NTP']],
	['4001616000', ['seconds since 1900, as of NTP']],
	['846201600', ['seconds since 2000']],
	['1793145600000000', ['microseconds since 1970']],
	['1793145600000000000', ['nanoseconds since 1970']],
	['12', []],
	['2026102500', []],
	['202610250000', []],
	['20261025000000', []],
])('%s is no epoch number: it may be %j', (cell, counts) => {
	expect(read(cell)).toBeNull();
	expect(timeCountsOf(cell, nowMs)).toEqual(counts);
});

test.each([
	['X', '0', '1970-01-01T00:00:00.000Z'],
	['X', '-1.5', '1969-12-31T23:59:58.500Z'],
	['x', '1792886400001', '2026-10-25T00:00:00.001Z'],
	['excel', '46320', '2026-10-25T00:00:00.000Z'],
	['excel', '46320.0416666667', '2026-10-25T01:00:00.000Z'],
	['excel', '46320,0833333333', '2026-10-25T02:00:00.000Z'],
	// Five decimals tell 0.4 s: 01:00:00 and 01:00:01 are told apart.
	['excel', '46320.04167', '2026-10-25T01:00:00.000Z'],
	['excel', '46320.04168', '2026-10-25T01:00:01.000Z'],
	// Ten decimals tell milliseconds.
	['excel', '46320.0416695602', '2026-10-25T01:00:00.250Z'],
	['excel', '61', '1900-03-01T00:00:00.000Z'],
])('--time-format %s reads %s as %s', (timeFormat, cell, iso) => {
	expect(read(cell, { timeFormat })).toEqual([at(iso)]);
});

test.each([
	['excel', '60.9'],
	['excel', '2026-10-25'],
	['excel', '1792886400'],
	['X', '2026-10-25'],
	['x', '9223372036855'],
	['X', '1e9'],
])('--time-format %s does not read %s', (timeFormat, cell) => expect(read(cell, { timeFormat })).toBeNull());

test.each(['1700000000', '100025568', '100025569', '100025570', '9'.repeat(400)])(
	'days of Excel beyond what a Date holds are not read in any zone: %s',
	(cell) => {
		for (const timeZone of ['UTC', 'Europe/Madrid', 'America/New_York', 'Pacific/Kiritimati'])
			for (const timeFormat of ['excel', 'X', 'x', undefined])
				expect(() => read(cell, { timeZone, ...(timeFormat !== undefined && { timeFormat }) })).not.toThrow();
		expect(read(cell, { timeFormat: 'excel', timeZone: 'Europe/Madrid' })).toBeNull();
	},
);

test('the last local times that can be stored are read in every zone', () => {
	expect(read('2262-04-11 16:47:16', { timeZone: 'America/New_York' })?.length).toBe(1);
	expect(read('2262-04-12 01:47:16', { timeZone: 'Europe/Madrid' })?.length).toBe(1);
	expect(read('2262-04-12 13:47:16', { timeZone: 'Pacific/Kiritimati' })).toEqual([at('2262-04-11T23:47:16Z')]);
	expect(read('2262-04-12 13:47:17', { timeZone: 'Pacific/Kiritimati' })).toBeNull();
});

test('every seventh second of a day that Excel writes with 15 digits is read as that second', () => {
	const readDays = createCellTimeReader({ nowMs, timeFormat: 'excel' });
	for (let second = 0; second < 86_400; second += 7) {
		const cell = (46_320 + second / 86_400).toPrecision(15);
		expect(readDays(cell)).toEqual([at('2026-10-25T00:00:00Z') + second * 1000]);
	}
});

test.each([
	['Europe/Madrid', '2026-10-25 02:30:00', ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z']],
	['Europe/Madrid', '2026-10-25 01:59:59', ['2026-10-24T23:59:59Z']],
	['Europe/Madrid', '2026-10-25 03:00:00', ['2026-10-25T02:00:00Z']],
	['Europe/Madrid', '2026-03-29 02:30:00', []],
	['Europe/Madrid', '2026-10-25 02:30:00+01:00', ['2026-10-25T01:30:00Z']],
	['America/New_York', '2026-11-01 01:59:59', ['2026-11-01T05:59:59Z', '2026-11-01T06:59:59Z']],
	['Australia/Lord_Howe', '2026-04-05 01:45:00', ['2026-04-04T14:45:00Z', '2026-04-04T15:15:00Z']],
	['Australia/Lord_Howe', '2026-04-05 01:15:00', ['2026-04-04T14:15:00Z']],
	['Africa/Casablanca', '2026-02-15 02:30:00', ['2026-02-15T01:30:00Z', '2026-02-15T02:30:00Z']],
])('in %s %s is %j', (timeZone, cell, instants) => expect(read(cell, { timeZone })).toEqual(instants.map(at)));

test('Excel days are local times', () => {
	expect(read('46320.1041666667', { timeFormat: 'excel', timeZone: 'Europe/Madrid' })?.length).toBe(2);
});
