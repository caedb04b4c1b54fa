import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkVersion } from '#domain/transaction/checks.ts';
import { etagOf, ifMatchOf } from '#http/etag.ts';
import { RequestError } from '#http/request-error.ts';
import { makeEvent } from '#test/support/builders/events.ts';

const matchOf = (header: string) => ifMatchOf(makeEvent('POST /saveVariable', { headers: { 'if-match': header } }));

describe('ifMatchOf', () => {
	test('returns null without the header', () => {
		expect(ifMatchOf(makeEvent('POST /saveVariable'))).toBeNull();
	});

	test.each([
		['*', 'any'],
		[' * ', 'any'],
		['"3"', [3]],
		[' "3" ', [3]],
		['"1", "2","30"', [1, 2, 30]],
		['"9007199254740991"', [9007199254740991]],
	])('reads %j as %j', (header, versions) => {
		expect(matchOf(header)).toEqual(versions);
	});

	test.each([
		['W/"3"', 'a weak tag (RFC 9110)'],
		['"abc"', 'not a version'],
		['""', 'an empty tag'],
		['"0"', 'versions count from 1'],
		['"03"', 'a version is written one way only'],
		['"-3"', 'a version is positive'],
		['"3.0"', 'a version is written one way only'],
		['"*"', 'a tag, not a star'],
		['"ü"', 'a tag of another service'],
	])('returns no version for %j: %s', (header) => {
		expect(matchOf(header)).toEqual([]);
	});

	test('keeps only the strong versions of several tags', () => {
		expect(matchOf('W/"1", "2", "x"')).toEqual([2]);
	});

	test.each([
		'',
		' ',
		'3',
		"'3'",
		'"3',
		'3"',
		'"3" "4"',
		'"3";"4"',
		'*, "3"',
		'"3", *',
		'**',
		'w/"3"',
		'W/ "3"',
		'"a b"',
		'"a"b"',
	])('refuses %j', (header) => {
		expect(() => matchOf(header)).toThrow(RequestError);
		expect(() => matchOf(header)).toThrow(expect.objectContaining({ status: 400, field: 'If-Match' }));
	});

	test.each([
		['"a,b"', []],
		['"a,b", "2"', [2]],
		['"1",, "2"', [1, 2]],
		['"1",', [1]],
	])('reads %j as %j', (header, versions) => {
		expect(matchOf(header)).toEqual(versions);
	});

	test('reads back every ETag that etagOf returns', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (version) => {
				expect(matchOf(etagOf({ version }).etag)).toEqual([version]);
			}),
		);
	});
});

describe('checkVersion', () => {
	test.each([
		['no If-Match, a row', null, { version: 2 }],
		['no If-Match, no row', null, null],
		['a star and a row', 'any', { version: 2 }],
		['the version', [2], { version: 2 }],
		['one of several', [1, 2], { version: 2 }],
	] as const)('allows a change: %s', (_, match, stored) => {
		expect(() => checkVersion(match, stored)).not.toThrow();
	});

	test.each([
		['a star and no row', 'any', null, null],
		['a version, and no row', [2], null, null],
		['another version', [1, 3], { version: 2 }, 2],
		['tags that match nothing', [], { version: 2 }, 2],
	] as const)('refuses a change: %s', (_, match, row, stored) => {
		expect(() => checkVersion(match, row)).toThrow(expect.objectContaining({ code: 'version_mismatch', payload: { stored } }));
	});
});
