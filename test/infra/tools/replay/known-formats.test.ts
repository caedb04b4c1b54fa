import { expect, test } from 'vitest';
import { formatsOf } from '#infra/tools/replay/known-formats.ts';

test.each([
	['06/01/14 00', ['DD/MM/YY HH', 'MM/DD/YY HH']],
	['16/01/14 00', ['DD/MM/YY HH']],
	['01/16/2014', ['MM/DD/YYYY']],
	['6/1/2014 7:05', ['D/M/YYYY H:mm', 'M/D/YYYY H:mm']],
	['06.01.2014 07:08:09', ['DD.MM.YYYY HH:mm:ss']],
	['6-Jan-14 07:08 PM', ['D-MMM-YY hh:mm A']],
	['20140106', ['YYYYMMDD']],
	['201401060708', ['YYYYMMDDHHmm']],
	['20140106070809', ['YYYYMMDDHHmmss']],
	['2014010607', ['YYYYMMDDHH']],
	['31/02/14 00', []],
	['never', []],
])('the common formats of %j are %j', (cell, formats) => expect(formatsOf(cell)).toEqual(formats));
