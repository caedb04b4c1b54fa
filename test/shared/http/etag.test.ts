import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkVersion } from '#domain/transaction/version-match.ts';
import { etagOf, ifMatchOf } from '#http/etag.ts';
import { RequestError } from '#http/request-error.ts';
import { makeEvent } from '#test/support/builders/events.ts';

const matchOf = (header: string) => ifMatchOf(makeEvent('POST /saveVariable', { headers: { 'if-match': header } }));

describe('If-Match', () => {
	test('that is not sent means whatever is stored', () => {
		expect(ifMatchOf(makeEvent('POST /saveVariable'))).toBeNull();
	});

	test.each([
		['*', 'any'],
		[' * ', 'any'],
		['"3"', [3]],
		[' "3" ', [3]],
		['"1", "2","30"', [1, 2, 30]],
		['"9007199254740991"', [9007199254740991]],
	])('%j means %j', (header, versions) => {
		expect(matchOf(header)).toEqual(versions);
	});

	test.each([
		['W/"3"', 'a weak tag, by RFC 9110'],
		['"abc"', 'no version'],
		['""', 'an empty tag'],
		['"0"', 'versions count from 1'],
		['"03"', 'a version has one spelling'],
		['"-3"', 'no version is negative'],
		['"3.0"', 'a version has one spelling'],
		['"*"', 'a tag, not the star'],
		['"ü"', 'a tag of another service'],
	])('%j matches nothing: %s', (header) => {
		expect(matchOf(header)).toEqual([]);
	});

	test('of several tags counts the strong versions', () => {
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
	])('%j is refused', (header) => {
		expect(() => matchOf(header)).toThrow(RequestError);
		expect(() => matchOf(header)).toThrow(expect.objectContaining({ status: 400, field: 'If-Match' }));
	});

	test.each([
		['"a,b"', []],
		['"a,b", "2"', [2]],
		['"1",, "2"', [1, 2]],
		['"1",', [1]],
	])('%j means %j', (header, versions) => {
		expect(matchOf(header)).toEqual(versions);
	});

	test('takes every version as its ETag gives it', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (version) => {
				expect(matchOf(etagOf({ version }).etag)).toEqual([version]);
			}),
		);
	});
});

describe('a stored version', () => {
	test.each([
		['no If-Match, a row', null, { version: 2 }],
		['no If-Match, no row', null, null],
		['a star and a row', 'any', { version: 2 }],
		['the version', [2], { version: 2 }],
		['one of several', [1, 2], { version: 2 }],
	] as const)('is changed: %s', (_, match, stored) => {
		expect(() => checkVersion(match, stored)).not.toThrow();
	});

	test.each([
		['a star and no row', 'any', null, null],
		['the version of a row that is gone', [2], null, null],
		['another version', [1, 3], { version: 2 }, 2],
		['tags that match nothing', [], { version: 2 }, 2],
	] as const)('is not changed: %s', (_, match, row, stored) => {
		expect(() => checkVersion(match, row)).toThrow(expect.objectContaining({ code: 'version_mismatch', payload: { stored } }));
	});
});
