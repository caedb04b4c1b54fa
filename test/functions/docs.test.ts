import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHandler } from '#functions/docs/handler.ts';
import { bundledPage, script } from '#test/support/bundled-files.ts';

const html = '<!doctype html><title>Página</title>';

let page: ReturnType<typeof bundledPage>;
beforeEach(() => {
	page = bundledPage(createHandler, { path: '/docs', html, scriptName: 'start.js' });
});

const policy =
	"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

describe('the page', () => {
	test('is HTML under its own Content-Security-Policy, and may be cached for five minutes', async () => {
		expect(await page.get()).toEqual({
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
		const { headers, body, isBase64Encoded } = await page.get(undefined, { 'accept-encoding': 'gzip, br' });
		expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'text/html; charset=utf-8' });
		expect([isBase64Encoded, body]).toEqual([true, gzipSync(html).toString('base64')]);
	});

	test('reads its files once, at the first request', async () => {
		expect(page.loads()).toBe(0);
		for (let request = 0; request < 3; request += 1) await page.get();
		await page.get('start.js');
		expect(page.loads()).toBe(1);
	});
});

describe('a file of the page', () => {
	test('has its own type and tag, and the same policy', async () => {
		const { statusCode, headers, body } = await page.get('start.js');
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
			const { statusCode, body, headers } = await page.get('start.js', { 'if-none-match': sent, 'accept-encoding': 'gzip' });
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
			expect((await page.get('start.js', { 'if-none-match': sent })).statusCode).toBe(200);
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
		const { statusCode, body } = await page.get(name);
		expect([statusCode, body]).toEqual([404, undefined]);
	});
});
