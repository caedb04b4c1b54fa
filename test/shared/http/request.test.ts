import { describe, expect, test } from 'vitest';
import type { ApiEvent } from '#http/event.ts';
import {
	acceptsGzip,
	bodyOf,
	checkBody,
	headerOf,
	isDryRun,
	maxBodyBytes,
	optionalBodyOf,
	pathIdOf,
	readsAnew,
} from '#http/request.ts';
import { RequestError } from '#http/request-error.ts';
import { makeEvent } from '#test/support/builders/events.ts';

const post = (body: string, contentType?: string): ApiEvent =>
	makeEvent('POST /saveVariable', { body, ...(contentType === undefined ? {} : { headers: { 'content-type': contentType } }) });

const base64 = (bytes: Buffer): ApiEvent => ({ ...post(bytes.toString('base64')), isBase64Encoded: true });

/** The status and field of the RequestError that `run` throws; undefined when it throws nothing. */
const refusalOf = (run: () => unknown): { status: number; field: string } | undefined => {
	try {
		run();
		return undefined;
	} catch (error) {
		if (!(error instanceof RequestError)) throw error;
		const { status, field } = error;
		return { status, field };
	}
};

describe('checkBody', () => {
	test('accepts no body, null and an object', () => {
		for (const body of ['', 'null', ' null\n', '{}']) expect(refusalOf(() => checkBody(post(body)))).toBeUndefined();
	});

	test.each(['[]', '0', 'false', '"null"', '{'])('refuses %s', (body) => {
		expect(refusalOf(() => checkBody(post(body)))).toEqual({ status: 400, field: 'request' });
	});

	test('refuses null as another type', () => {
		expect(refusalOf(() => checkBody(post('null', 'text/plain')))).toEqual({ status: 415, field: 'request' });
	});
});

describe('bodyOf', () => {
	test('returns the JSON object', () => {
		expect(bodyOf(post('{"a":[1,{"b":null}]}'))).toEqual({ a: [1, { b: null }] });
		expect(bodyOf(post(' \n{}\t'))).toEqual({});
	});

	test('decodes base64', () => {
		expect(bodyOf(base64(Buffer.from('{"name":"Presión 😀"}')))).toEqual({ name: 'Presión 😀' });
	});

	test('accepts a byte order mark', () => {
		expect(bodyOf(base64(Buffer.from('\ufeff{"a":1}')))).toEqual({ a: 1 });
		expect(bodyOf(post('\ufeff{"a":1}'))).toEqual({ a: 1 });
	});

	test('keeps a field named __proto__', () => {
		expect(Object.keys(bodyOf(post('{"__proto__":{"admin":true}}')))).toEqual(['__proto__']);
	});

	test.each([
		['', 'an empty body'],
		['{', 'half an object'],
		["{'a':1}", 'single quotes'],
		['{"a":NaN}', 'NaN'],
		['{}{}', 'two objects'],
		[' ', 'a blank'],
		['[]', 'a list'],
		['null', 'null'],
		['"{}"', 'text'],
		['1', 'a number'],
		['true', 'true'],
	])('refuses %j: %s', (body) => {
		expect(refusalOf(() => bodyOf(post(body)))).toEqual({ status: 400, field: 'request' });
	});

	test.each([
		['a continuation byte alone', [0x80]],
		['a byte that never occurs in UTF-8', [0xff]],
		['an incomplete sequence', [0xc3]],
		['an overlong form', [0xc0, 0xaf]],
		['half of a surrogate pair', [0xed, 0xa0, 0xbd]],
	])('refuses bytes that are not UTF-8: %s', (_, bytes) => {
		const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
		expect(refusalOf(() => bodyOf(base64(body)))).toEqual({ status: 400, field: 'request' });
	});

	test('accepts a nesting depth of 10,000', () => {
		expect(bodyOf(post(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`))).toHaveProperty('a');
	});

	const filled = (bytes: number): string => `{"a":"${'x'.repeat(bytes - 8)}"}`;

	test('accepts 1 MB and refuses one byte more', () => {
		expect(refusalOf(() => bodyOf(post(filled(maxBodyBytes))))).toBeUndefined();
		expect(refusalOf(() => bodyOf(post(filled(maxBodyBytes + 1))))).toEqual({ status: 413, field: 'request' });
	});

	test('measures the decoded bytes, not characters or base64', () => {
		expect(refusalOf(() => bodyOf(base64(Buffer.from(filled(maxBodyBytes)))))).toBeUndefined();
		expect(refusalOf(() => bodyOf(base64(Buffer.from(filled(maxBodyBytes + 1)))))).toEqual({ status: 413, field: 'request' });
		const wide = `{"a":"${'é'.repeat(maxBodyBytes / 2)}"}`;
		expect(wide.length).toBeLessThan(maxBodyBytes);
		expect(refusalOf(() => bodyOf(post(wide)))).toEqual({ status: 413, field: 'request' });
	});

	test('optionalBodyOf accepts a missing body with any content type', () => {
		expect(optionalBodyOf(makeEvent('POST /multipleDataTsdb'))).toBeUndefined();
		expect(optionalBodyOf(post('', 'text/plain'))).toBeUndefined();
		expect(optionalBodyOf(post('{}'))).toEqual({});
	});
});

describe('the content type', () => {
	test.each([
		'application/json',
		'Application/JSON',
		'application/json; charset=utf-8',
		'application/json;charset=UTF-8',
		'application/json; charset="utf-8"',
		'application/json ; charset=utf8',
		'application/json; profile=x; charset=utf-8',
		'application/json; profile=x',
	])('accepts %j', (contentType) => {
		expect(refusalOf(() => bodyOf(post('{}', contentType)))).toBeUndefined();
	});

	test.each([
		'',
		'text/plain',
		'text/json',
		'application/jsonp',
		'application/problem+json',
		'application/x-www-form-urlencoded',
		'application/json; charset=iso-8859-1',
		'application/json; charset=utf-16',
		'application/json, text/plain',
		'multipart/form-data; boundary=application/json',
	])('refuses %j', (contentType) => {
		expect(refusalOf(() => bodyOf(post('{}', contentType)))).toEqual({ status: 415, field: 'request' });
	});

	test('is required', () => {
		const { 'content-type': _, ...headers } = post('{}').headers;
		expect(refusalOf(() => bodyOf({ ...post('{}'), headers }))).toEqual({ status: 415, field: 'request' });
	});
});

describe('pathIdOf', () => {
	test.each([
		['1', 1],
		['42', 42],
		['9007199254740991', 9007199254740991],
	])('accepts %s', (id, expected) => {
		expect(pathIdOf(makeEvent('POST /deleteVar/{id}', { id }))).toBe(expected);
	});

	test.each(['0', '-1', '+1', '1.0', '1e3', '0x1', '01', ' 1', '1 ', '1\n', '', 'abc', '١', '9007199254740992', '9'.repeat(400)])(
		'refuses %j',
		(id) => {
			expect(refusalOf(() => pathIdOf(makeEvent('POST /deleteVar/{id}', { id })))).toEqual({ status: 400, field: 'id' });
		},
	);

	test('refuses a missing id', () => {
		expect(refusalOf(() => pathIdOf(makeEvent('POST /deleteVar/{id}')))).toEqual({ status: 400, field: 'id' });
	});
});

describe('isDryRun', () => {
	const dryRun = (value: string): boolean => isDryRun(makeEvent('POST /saveVariable', { query: { dryRun: value } }));

	test('returns true for 1, and false for 0 and without the parameter', () => {
		expect(dryRun('1')).toBe(true);
		expect(dryRun('0')).toBe(false);
		expect(isDryRun(makeEvent('POST /saveVariable'))).toBe(false);
		expect(isDryRun(makeEvent('POST /saveVariable', { query: { other: '1' } }))).toBe(false);
	});

	test.each(['', 'true', 'yes', '2', '01', '1,1', '1,0', ' 1'])('refuses the value %j', (value) => {
		expect(refusalOf(() => dryRun(value))).toEqual({ status: 400, field: 'dryRun' });
	});

	test.each(['dryrun', 'DRYRUN', 'dry_run', 'dry-run', 'dryRuns', 'dryRn'])('refuses the misspelled name %s', (name) => {
		const event = makeEvent('POST /saveVariable', { query: { [name]: '1' } });
		const issue = {
			path: name,
			code: 'unknown_field',
			message: 'There is no such field: send dryRun.',
			params: { meant: 'dryRun' },
		};
		expect(() => isDryRun(event)).toThrow(expect.objectContaining({ code: 'invalid', payload: { issues: [issue] } }));
	});
});

describe('acceptsGzip', () => {
	test.each([
		['gzip', true],
		['GZIP', true],
		['gzip, deflate, br', true],
		['br,gzip', true],
		['deflate , gzip ; q=0.5', true],
		['gzip;q=1.000', true],
		['gzip;q=0.001', true],
		['gzip;q=0', false],
		['gzip;q=0.', false],
		['gzip;q=0.0', false],
		['gzip; q=0.000', false],
		['gzip;Q=0', false],
		['*', true],
		['*;q=0.1', true],
		['*;q=0', false],
		['gzip, *;q=0', true],
		['identity, *;q=0', false],
		['identity', false],
		['br, deflate', false],
		['gzipped', false],
		['', false],
	])('reads %j as %j', (header, accepted) => {
		expect(acceptsGzip(makeEvent('GET /getVarsTsdb', { headers: { 'accept-encoding': header } }))).toBe(accepted);
	});

	test.each(['gzip;q=0, *', '*, gzip;q=0'])('returns false for %j: the entry of gzip overrides the star', (header) => {
		expect(acceptsGzip(makeEvent('GET /getVarsTsdb', { headers: { 'accept-encoding': header } }))).toBe(false);
	});

	test('returns false without the header', () => {
		expect(acceptsGzip(makeEvent('GET /getVarsTsdb'))).toBe(false);
	});
});

test('headerOf finds a header by its lower-case name, and returns undefined for a missing one', () => {
	const event = makeEvent('GET /bombs', { headers: { 'if-match': '"1"' } });
	expect(headerOf(event, 'if-match')).toBe('"1"');
	expect(headerOf(event, 'if-none-match')).toBeUndefined();
	expect(headerOf(event, 'constructor')).toBeUndefined();
});

test.each([
	['no-cache', true],
	['max-age=0, No-Cache', true],
	['no-store', false],
	['max-age=0', false],
	['x-no-cache', false],
	['', false],
])('readsAnew finds no-cache in Cache-Control: %j is %j', (header, expected) => {
	expect(readsAnew(makeEvent('GET /bombs', { headers: { 'cache-control': header } }))).toBe(expected);
	expect(readsAnew(makeEvent('GET /bombs'))).toBe(false);
});
