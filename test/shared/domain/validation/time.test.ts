import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { parseIsoTime, queryTimeSchema, timeSchema } from '#domain/validation/time.ts';

describe('parseIsoTime', () => {
	test.each([
		['2026-11-21T10:00:00Z', Date.UTC(2026, 10, 21, 10)],
		['2026-11-21T10:00:00.250Z', Date.UTC(2026, 10, 21, 10, 0, 0, 250)],
		['2026-11-21T10:00:00.9999999Z', Date.UTC(2026, 10, 21, 10, 0, 0, 999)],
		['2026-11-21T10:00Z', Date.UTC(2026, 10, 21, 10)],
		['2026-11-21T10:00:00+05:30', Date.UTC(2026, 10, 21, 4, 30)],
		['2026-11-21T10:00:00-03:00', Date.UTC(2026, 10, 21, 13)],
		['2024-02-29T23:59:59Z', Date.UTC(2024, 1, 29, 23, 59, 59)],
	])('reads %s', (text, expected) => {
		expect(parseIsoTime(text)).toBe(expected);
	});

	test.each([
		'2026-11-21',
		'2026-11-21T10:00:00',
		'2026-11-21 10:00:00Z',
		'2026-11-21T10:00:00+0530',
		'2026-11-21T10:00:00+24:00',
		'2026-11-21T10:00:00+05:60',
		'2025-02-29T00:00:00Z',
		'2026-11-31T00:00:00Z',
		'2026-13-01T00:00:00Z',
		'2026-11-21T24:00:00Z',
		'2026-11-21T10:60:00Z',
		'2026-11-21T10:00:60Z',
		'+002026-11-21T10:00:00Z',
		'1795262400000',
		'',
	])('refuses %s', (text) => {
		expect(parseIsoTime(text)).toBeNaN();
	});

	test('reads what toISOString writes', () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), (time) => {
				expect(parseIsoTime(new Date(time).toISOString())).toBe(time);
			}),
		);
	});
});

describe('timeSchema', () => {
	test('takes ISO-8601 and whole epoch milliseconds, and becomes epoch milliseconds', () => {
		expect(v.parse(timeSchema, '1970-01-01T00:00:01Z')).toBe(1000);
		expect(v.parse(timeSchema, 0)).toBe(0);
		expect(v.parse(timeSchema, 100_000_000_000)).toBe(100_000_000_000);
		expect(v.parse(timeSchema, 253_402_300_799_999)).toBe(253_402_300_799_999);
		expect(v.parse(timeSchema, '9999-12-31T23:59:59.999Z')).toBe(253_402_300_799_999);
	});

	test.each([1, 1_795_262_400, 99_999_999_999])('takes %i for seconds, and says so', (value) => {
		expect(v.safeParse(timeSchema, value).issues?.map(({ message }) => message)).toEqual([
			'Must be epoch milliseconds; this looks like seconds: multiply it by 1000.',
		]);
	});

	test.each([
		-1,
		0.5,
		-0,
		253_402_300_800_000,
		Number.POSITIVE_INFINITY,
		'1969-12-31T23:59:59Z',
		'9999-12-31T23:59:59-01:00',
		null,
		true,
		{},
		[],
	])('refuses %j', (value) => {
		expect(v.is(timeSchema, value)).toBe(false);
	});
});

describe('queryTimeSchema', () => {
	test.each([
		['2026-11-21T10:00:00 05:30', Date.UTC(2026, 10, 21, 4, 30)],
		['2026-11-21T10:00 01:00', Date.UTC(2026, 10, 21, 9)],
		['2026-11-21T10:00:00+05:30', Date.UTC(2026, 10, 21, 4, 30)],
		['1795262400000', 1_795_262_400_000],
	])('reads %s, whose + may have become a blank', (text, expected) => {
		expect(v.parse(queryTimeSchema, text)).toBe(expected);
	});

	test.each(['2026-11-21 10:00', '2026-11-21T10:00:00  01:00', '2026-11-21T10:00:00 01:00 ', '1795262400'])(
		'refuses %s',
		(text) => {
			expect(v.is(queryTimeSchema, text)).toBe(false);
		},
	);
});
