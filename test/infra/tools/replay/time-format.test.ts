import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCellTimeReader } from '#infra/tools/replay/time.ts';

const nowMs = Date.UTC(2026, 10, 27);

/** Of a time that occurs twice the first instant; null for one that cannot be read or that the clock skips. */
const read = (timeFormat: string, cell: string, timeZone?: string): string | null => {
	const [timeMs] = createCellTimeReader({ timeFormat, timeZone, nowMs })(cell) ?? [];
	return timeMs === undefined ? null : new Date(timeMs).toISOString();
};

describe('a time format', () => {
	test.each([
		['DD/MM/YY HH', '06/01/14 00', '2014-01-06T00:00:00.000Z'],
		['DD/MM/YY HH', ' 31/12/68 23 ', '2068-12-31T23:00:00.000Z'],
		['DD/MM/YY HH', '01/01/69 00', '1969-01-01T00:00:00.000Z'],
		['MM/DD/YYYY HH:mm:ss', '02/29/2016 23:59:59', '2016-02-29T23:59:59.000Z'],
		['D/M/YYYY H:m:s', '6/1/2014 7:08:9', '2014-01-06T07:08:09.000Z'],
		['D/M/YYYY', '16/11/2014', '2014-11-16T00:00:00.000Z'],
		['YYYYMMDDHHmmss.SSS', '20140106070809.010', '2014-01-06T07:08:09.010Z'],
		['YYYY-MM-DD[T]HH:mm:ss.S', '2014-01-06T07:08:09.5', '2014-01-06T07:08:09.500Z'],
		['YYYY-MM-DD HH:mm:ss.SS', '2014-01-06 07:08:09.25', '2014-01-06T07:08:09.250Z'],
		['DD-MMM-YY hh:mm A', '06-jan-14 12:00 AM', '2014-01-06T00:00:00.000Z'],
		['D MMMM YYYY h a', '6 May 2014 12 pm', '2014-05-06T12:00:00.000Z'],
		['D MMMM YYYY h a', '6 September 2014 11 PM', '2014-09-06T23:00:00.000Z'],
		['DD/MM/YYYY HH:mm Z', '06/01/2014 00:30 +02:00', '2014-01-05T22:30:00.000Z'],
		['DD/MM/YYYY HH:mmZZ', '06/01/2014 00:30-0330', '2014-01-06T04:00:00.000Z'],
		['[day] DD.MM.YYYY', 'day 06.01.2014', '2014-01-06T00:00:00.000Z'],
		['[Day 1] DD.MM.YYYY', 'DAY 1 01.01.2014', '2014-01-01T00:00:00.000Z'],
		['DD.MMM.YYYY|HH;mm', '06.JAN.2014|07;08', '2014-01-06T07:08:00.000Z'],
		['D/M/YYYY H:m', '06/01/2014 07:08', '2014-01-06T07:08:00.000Z'],
		['YYYY-MM-DD[T]HH:mm:ss', '2014-01-06t07:08:09', '2014-01-06T07:08:09.000Z'],
		['hh:mmA DD/MM/YYYY', '12:30pm 06/01/2014', '2014-01-06T12:30:00.000Z'],
		['DD/MM/YYYY HH:mm:ss.S Z', '06/01/2014 00:30:00.5 -00:15', '2014-01-06T00:45:00.500Z'],
		['DD/MM/YYYY HH:mm Z', '06/01/2014 00:30 z', '2014-01-06T00:30:00.000Z'],
		['DD/MM/YYYY HH:mmZZ', '06/01/2014 00:30Z', '2014-01-06T00:30:00.000Z'],
		['DD/MM/YYYY HH:mmZ', '31/12/2014 23:30-14:00', '2015-01-01T13:30:00.000Z'],
		['ZZ DD-MM-YYYY', '+0530 06-01-2014', '2014-01-05T18:30:00.000Z'],
	])('%s reads %j as %s', (format, cell, expected) => expect(read(format, cell)).toBe(expected));

	test.each([
		['DD/MM/YY HH', '31/02/14 00'],
		['DD/MM/YY HH', '29/02/15 00'],
		['DD/MM/YY HH', '31/04/14 00'],
		['DD/MM/YY HH', '00/01/14 00'],
		['DD/MM/YY HH', '01/13/14 00'],
		['DD/MM/YY HH', '01/00/14 00'],
		['DD/MM/YY HH', '01/01/14 24'],
		['DD/MM/YY HH', '1/01/14 00'],
		['DD/MM/YY HH', '01/01/14 00:00'],
		['DD/MM/YY HH', '01-01-14 00'],
		['DD/MM/YY HH', 'x01/01/14 00'],
		['DD/MM/YY HH', ''],
		['DD.MM.YYYY HH:mm', '01x01x2014 00:00'],
		['DD.MM.YYYY HH:mm', '01.01.2014 00:60'],
		['DD.MM.YYYY hh A', '01.01.2014 13 PM'],
		['DD.MM.YYYY hh A', '01.01.2014 00 AM'],
		['DD MMM YYYY', '01 Foo 2014'],
		['DD.MM.YYYY Z', '01.01.2014 +15:00'],
		['DD.MM.YYYY Z', '01.01.2014 +14:60'],
		['DD.MM.YYYY Z', '01.01.2014 +0100'],
		['DD.MM.YYYY Z', '01.01.2014 +01'],
		['DD.MM.YYYY Z', '01.01.2014'],
		['DD.MM.YYYY ZZ', '01.01.2014 +01:00'],
		['DD.MM.YYYY HH:mm Z', '31.02.2014 00:00 +01:00'],
		['DD.MM.YYYY HH:mm Z', '01.01.2014 24:00 +01:00'],
		['DD.MM.YYYY HH:mm:ss', '01.01.2014 23:59:60'],
		['DD.MM.YYYY ss.SS', '01.01.2014 01.5'],
		['D.M.YYYY', '001.1.2014'],
		['DD MMM YYYY', '01 January 2014'],
		['DD MMMM YYYY', '01 Jan 2014'],
		['DD.MM.YYYY', '01.01.2300'],
	])('%s refuses %j', (format, cell) => expect(read(format, cell)).toBeNull());

	test.each([
		['DD/MM HH', 'it has no year'],
		['YYYY', 'it has no month'],
		['MM/YYYY', 'it has no day'],
		['DD/MM/YY YYYY', 'it has the year twice'],
		['DD/MM/YY hh', 'h and hh go with A or a'],
		['DD/MM/YY HH A', 'H and HH without'],
		['DDD/MM/YY', 'DDD is none of YYYY YY'],
		['dd/mm/yy', 'dd is none of'],
		['YYYY-MM-DDTHH', 'T is none of'],
	])('%s cannot be used: %s', (format, problem) => {
		expect(() => createCellTimeReader({ timeFormat: format, nowMs })).toThrow(problem);
	});

	test('reads back every time that it can write', () => {
		const pad = (value: number, length = 2): string => String(value).padStart(length, '0');
		fc.assert(
			fc.property(fc.date({ min: new Date('1678-01-01'), max: new Date('2262-01-01'), noInvalidDate: true }), (date) => {
				const [day, month, year] = [pad(date.getUTCDate()), pad(date.getUTCMonth() + 1), pad(date.getUTCFullYear(), 4)];
				const [hour, minute, second] = [pad(date.getUTCHours()), pad(date.getUTCMinutes()), pad(date.getUTCSeconds())];
				const cell = `${second}.${pad(date.getUTCMilliseconds(), 3)} ${minute}:${hour} ${day}/${month}/${year}`;
				expect(read('ss.SSS mm:HH DD/MM/YYYY', cell)).toBe(date.toISOString());
			}),
		);
	});
});

describe('a time zone', () => {
	test.each([
		['06/01/14 00', 'Europe/Madrid', '2014-01-05T23:00:00.000Z'],
		['06/07/14 00', 'Europe/Madrid', '2014-07-05T22:00:00.000Z'],
		['06/07/14 00', 'america/santiago', '2014-07-06T04:00:00.000Z'],
		['30/03/14 01', 'Europe/Madrid', '2014-03-30T00:00:00.000Z'],
		['30/03/14 02', 'Europe/Madrid', null],
		['30/03/14 03', 'Europe/Madrid', '2014-03-30T01:00:00.000Z'],
		['26/10/14 02', 'Europe/Madrid', '2014-10-26T00:00:00.000Z'],
		['26/10/14 03', 'Europe/Madrid', '2014-10-26T02:00:00.000Z'],
	])('reads %j in %s as %s', (cell, zone, expected) => expect(read('DD/MM/YY HH', cell, zone)).toBe(expected));

	test('does not change a time that names its offset, nor an epoch number', () => {
		expect(read('DD/MM/YY HH Z', '06/01/14 00 +00:00', 'Europe/Madrid')).toBe('2014-01-06T00:00:00.000Z');
		const readIso = createCellTimeReader({ timeZone: 'Europe/Madrid', nowMs });
		expect(readIso('2014-01-06T00:00:00Z')).toEqual([Date.UTC(2014, 0, 6)]);
		expect(readIso('2014-01-06 00:00:00')).toEqual([Date.UTC(2014, 0, 5, 23)]);
		expect(readIso('1388966400')).toEqual([Date.UTC(2014, 0, 6)]);
	});

	test.each(['+01:00', 'Nowhere', 'Europe/'])('that is %s cannot be used', (timeZone) => {
		expect(() => createCellTimeReader({ timeZone, nowMs })).toThrow(`There is no time zone ${timeZone}`);
	});
});
