import { describe, expect, test } from 'vitest';
import type { ApiEvent } from '#http/event.ts';
import { acceptsGzip, bodyOf, headerOf, isDryRun, maxBodyBytes, optionalBodyOf, pathIdOf, sourceOf } from '#http/request.ts';
import { RequestError } from '#http/request-error.ts';
import { makeEvent } from '#test/support/builders/events.ts';

const post = (body: string, contentType?: string): ApiEvent =>
	makeEvent('POST /saveVariable', { body, ...(contentType === undefined ? {} : { headers: { 'content-type': contentType } }) });

const base64 = (bytes: Buffer): ApiEvent => ({ ...post(bytes.toString('base64')), isBase64Encoded: true });

/** What a request is refused with; undefined where it is taken. */
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

describe('a body', () => {
	test('is an object of JSON', () => {
		expect(bodyOf(post('{"a":[1,{"b":null}]}'))).toEqual({ a: [1, { b: null }] });
		expect(bodyOf(post(' \n{}\t'))).toEqual({});
	});

	test('is the same where it comes in base64', () => {
		expect(bodyOf(base64(Buffer.from('{"name":"Presión 😀"}')))).toEqual({ name: 'Presión 😀' });
	});

	test('may begin with a byte order mark', () => {
		expect(bodyOf(base64(Buffer.from('\ufeff{"a":1}')))).toEqual({ a: 1 });
	});

	test('keeps a field named __proto__ as a field', () => {
		expect(Object.keys(bodyOf(post('{"__proto__":{"admin":true}}')))).toEqual(['__proto__']);
	});

	test.each([
		['', 'nothing'],
		['{', 'half an object'],
		["{'a':1}", 'other quotes'],
		['{"a":NaN}', 'a number that JSON has not'],
		['{}{}', 'two objects'],
		[' ', 'a blank'],
		['[]', 'a list'],
		['null', 'null'],
		['"{}"', 'text'],
		['1', 'a number'],
		['true', 'true'],
	])('%j is refused: %s', (body) => {
		expect(refusalOf(() => bodyOf(post(body)))).toEqual({ status: 400, field: 'request' });
	});

	test.each([
		['a stray continuation byte', [0x80]],
		['a byte that UTF-8 never has', [0xff]],
		['a sequence cut short', [0xc3]],
		['a longer form of a short character', [0xc0, 0xaf]],
		['half of a surrogate pair', [0xed, 0xa0, 0xbd]],
	])('that is not UTF-8 is refused: %s', (_, bytes) => {
		const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
		expect(refusalOf(() => bodyOf(base64(body)))).toEqual({ status: 400, field: 'request' });
	});

	test('nested 10,000 deep is an object still', () => {
		expect(bodyOf(post(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`))).toHaveProperty('a');
	});

	const filled = (bytes: number): string => `{"a":"${'x'.repeat(bytes - 8)}"}`;

	test('of exactly 1 MB is taken, and of a byte more is not', () => {
		expect(refusalOf(() => bodyOf(post(filled(maxBodyBytes))))).toBeUndefined();
		expect(refusalOf(() => bodyOf(post(filled(maxBodyBytes + 1))))).toEqual({ status: 413, field: 'request' });
	});

	test('is measured in bytes as they are, not in characters nor in base64', () => {
		expect(refusalOf(() => bodyOf(base64(Buffer.from(filled(maxBodyBytes)))))).toBeUndefined();
		expect(refusalOf(() => bodyOf(base64(Buffer.from(filled(maxBodyBytes + 1)))))).toEqual({ status: 413, field: 'request' });
		const wide = `{"a":"${'é'.repeat(maxBodyBytes / 2)}"}`;
		expect(wide.length).toBeLessThan(maxBodyBytes);
		expect(refusalOf(() => bodyOf(post(wide)))).toEqual({ status: 413, field: 'request' });
	});

	test('may be absent where it is optional, whatever the content type', () => {
		expect(optionalBodyOf(makeEvent('POST /multipleDataTsdb'))).toBeUndefined();
		expect(optionalBodyOf(post('', 'text/plain'))).toBeUndefined();
		expect(optionalBodyOf(post('{}'))).toEqual({});
	});
});

describe('a content type', () => {
	test.each([
		'application/json',
		'Application/JSON',
		'application/json; charset=utf-8',
		'application/json;charset=UTF-8',
		'application/json; charset="utf-8"',
		'application/json ; charset=utf8',
		'application/json; profile=x; charset=utf-8',
		'application/json; profile=x',
	])('%j is taken', (contentType) => {
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
	])('%j is refused', (contentType) => {
		expect(refusalOf(() => bodyOf(post('{}', contentType)))).toEqual({ status: 415, field: 'request' });
	});

	test('that is missing is refused', () => {
		const { 'content-type': _, ...headers } = post('{}').headers;
		expect(refusalOf(() => bodyOf({ ...post('{}'), headers }))).toEqual({ status: 415, field: 'request' });
	});
});

describe('an id in the path', () => {
	test.each([
		['1', 1],
		['42', 42],
		['9007199254740991', 9007199254740991],
	])('%s is taken', (id, expected) => {
		expect(pathIdOf(makeEvent('POST /deleteVar/{id}', { id }))).toBe(expected);
	});

	test.each(['0', '-1', '+1', '1.0', '1e3', '0x1', '01', ' 1', '1 ', '1\n', '', 'abc', '١', '9007199254740992', '9'.repeat(400)])(
		'%j is refused',
		(id) => {
			expect(refusalOf(() => pathIdOf(makeEvent('POST /deleteVar/{id}', { id })))).toEqual({ status: 400, field: 'id' });
		},
	);

	test('that is missing is refused', () => {
		expect(refusalOf(() => pathIdOf(makeEvent('POST /deleteVar/{id}')))).toEqual({ status: 400, field: 'id' });
	});
});

describe('a dry run', () => {
	const dryRun = (value: string): boolean => isDryRun(makeEvent('POST /saveVariable', { query: { dryRun: value } }));

	test('is asked for by 1, and not by 0 nor by nothing', () => {
		expect(dryRun('1')).toBe(true);
		expect(dryRun('0')).toBe(false);
		expect(isDryRun(makeEvent('POST /saveVariable'))).toBe(false);
		expect(isDryRun(makeEvent('POST /saveVariable', { query: { other: '1' } }))).toBe(false);
	});

	test.each(['', 'true', 'yes', '2', '01', '1,1', '1,0', ' 1'])('%j is refused, for it may have meant either', (value) => {
		expect(refusalOf(() => dryRun(value))).toEqual({ status: 400, field: 'dryRun' });
	});

	test.each(['dryrun', 'DRYRUN', 'dry_run', 'dry-run'])('misspelt as %s is refused, for it was meant', (name) => {
		const event = makeEvent('POST /saveVariable', { query: { [name]: '1' } });
		expect(refusalOf(() => isDryRun(event))).toEqual({ status: 400, field: 'dryRun' });
	});
});

describe('gzip', () => {
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
	])('%j takes it: %j', (header, accepted) => {
		expect(acceptsGzip(makeEvent('GET /getVarsTsdb', { headers: { 'accept-encoding': header } }))).toBe(accepted);
	});

	test.each(['gzip;q=0, *', '*, gzip;q=0'])('%j names it and refuses it, whatever else the star takes', (header) => {
		expect(acceptsGzip(makeEvent('GET /getVarsTsdb', { headers: { 'accept-encoding': header } }))).toBe(false);
	});

	test('is not for a client that says nothing', () => {
		expect(acceptsGzip(makeEvent('GET /getVarsTsdb'))).toBe(false);
	});
});

test('a header is found by its lower-case name, and is undefined where there is none', () => {
	const event = makeEvent('GET /bombs', { headers: { 'if-match': '"1"' } });
	expect(headerOf(event, 'if-match')).toBe('"1"');
	expect(headerOf(event, 'if-none-match')).toBeUndefined();
	expect(headerOf(event, 'constructor')).toBeUndefined();
});

test('the source is the address that the gateway saw, never a forwarded one', () => {
	expect(sourceOf(makeEvent('POST /loginSso', { headers: { 'x-forwarded-for': '198.51.100.1' } }))).toBe('203.0.113.7');
});
