import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHandler } from '#functions/docs/handler.ts';
import type { ApiHandler } from '#http/event.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { makeEvent } from '#test/support/builders/events.ts';

const html = '<!doctype html><title>Página</title>';
const script = 'start();'.repeat(500);

const fileOf = (type: string, text: string, etag: string) => ({ type, etag, gzip: gzipSync(text).toString('base64') });
const files = JSON.stringify({
	'index.html': fileOf('text/html; charset=utf-8', html, 'W/"page"'),
	'start.js': fileOf('text/javascript; charset=utf-8', script, 'W/"script"'),
});

let handler: ApiHandler;
let loads: number;
beforeEach(() => {
	loads = 0;
	handler = createHandler({
		log: silentLog,
		files: async () => {
			loads += 1;
			return files;
		},
	});
});

/** Asks for a file, or without a name for the page. */
const get = (name?: string, headers: Readonly<Record<string, string>> = {}) => {
	const event = makeEvent(name === undefined ? 'GET /docs' : 'GET /docs/{file}', { headers });
	return handler(name === undefined ? event : { ...event, rawPath: `/docs/${name}`, pathParameters: { file: name } });
};

const policy =
	"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

describe('the page', () => {
	test('is HTML under its own Content-Security-Policy, and may be cached for five minutes', async () => {
		expect(await get()).toEqual({
			statusCode: 200,
			headers: {
				'content-type': 'text/html; charset=utf-8',
				'content-security-policy': policy,
				'x-content-type-options': 'nosniff',
				'referrer-policy': 'no-referrer',
				'strict-transport-security': 'max-age=31536000',
				'cache-control': 'public, max-age=300',
				vary: 'accept-encoding',
				etag: 'W/"page"',
			},
			body: html,
			isBase64Encoded: false,
		});
	});

	test('is sent as it was compressed to a client that accepts gzip', async () => {
		const { headers, body, isBase64Encoded } = await get(undefined, { 'accept-encoding': 'gzip, br' });
		expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'text/html; charset=utf-8' });
		expect([isBase64Encoded, body]).toEqual([true, gzipSync(html).toString('base64')]);
	});

	test('reads its files once, at the first request', async () => {
		expect(loads).toBe(0);
		for (let request = 0; request < 3; request += 1) await get();
		await get('start.js');
		expect(loads).toBe(1);
	});
});

describe('a file of the page', () => {
	test('has its own type and tag, and the same policy', async () => {
		const { statusCode, headers, body } = await get('start.js');
		expect([statusCode, body]).toEqual([200, script]);
		expect(headers).toMatchObject({
			'content-type': 'text/javascript; charset=utf-8',
			etag: 'W/"script"',
			'content-security-policy': policy,
			'x-content-type-options': 'nosniff',
		});
	});

	test.each(['W/"script"', '"script"', '"other", W/"script"', '*'])(
		'is 304 without a body for If-None-Match: %s',
		async (sent) => {
			const { statusCode, body, headers } = await get('start.js', { 'if-none-match': sent, 'accept-encoding': 'gzip' });
			expect([statusCode, body, headers?.['etag'], headers?.['content-encoding']]).toEqual([
				304,
				undefined,
				'W/"script"',
				undefined,
			]);
			expect(headers).toMatchObject({ 'content-security-policy': policy, 'cache-control': 'public, max-age=300' });
		},
	);

	test('is sent to a client with another version of it, and with the tag of another file', async () => {
		for (const sent of ['"other"', 'W/"page"', ''])
			expect((await get('start.js', { 'if-none-match': sent })).statusCode).toBe(200);
	});

	test.each([
		'',
		'start',
		'START.JS',
		'start.js.map',
		'../index.html',
		'..%2findex.html',
		'/etc/passwd',
		'__proto__',
		'constructor',
	])('that is not there is 404 without a body: %j', async (name) => {
		const { statusCode, body } = await get(name);
		expect([statusCode, body]).toEqual([404, undefined]);
	});
});
