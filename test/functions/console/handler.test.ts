import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHandler } from '#functions/console/handler.ts';
import { makeEvent } from '#test/support/builders/events.ts';
import { bundledPage, script } from '#test/support/bundled-files.ts';

const html = '<!doctype html><title>Válvula</title>';

let page: ReturnType<typeof bundledPage>;
beforeEach(() => {
	page = bundledPage(createHandler, { path: '/console', html, scriptName: 'main-1A.js' });
});

const policy =
	"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

test('GET / redirects to the console by a relative address, without reading its files', async () => {
	const { statusCode, headers, body } = await page.handler(makeEvent('GET /'));
	expect([statusCode, headers?.['location'], headers?.['cache-control'], body]).toEqual([302, 'console', 'no-store', undefined]);
	expect(page.loads()).toBe(0);
	const location = String(headers?.['location']);
	expect(new URL(location, 'https://api.utility.test/').href).toBe('https://api.utility.test/console');
	expect(new URL(location, 'https://api.utility.test/v1/').href).toBe('https://api.utility.test/v1/console');
});

test('the page is HTML under its own Content-Security-Policy, and browsers ask each time whether it has changed', async () => {
	expect(await page.get()).toEqual({
		statusCode: 200,
		headers: {
			'content-type': 'text/html; charset=utf-8',
			'content-security-policy': policy,
			'x-content-type-options': 'nosniff',
			'referrer-policy': 'no-referrer',
			'strict-transport-security': 'max-age=31536000',
			'cache-control': 'public, no-cache',
			vary: 'accept-encoding',
			etag: 'W/"page"',
		},
		body: html,
		isBase64Encoded: false,
	});
	const again = await page.get(undefined, { 'if-none-match': 'W/"page"' });
	expect([again.statusCode, again.body, again.headers?.['cache-control']]).toEqual([304, undefined, 'public, no-cache']);
});

describe('a file of the page', () => {
	test('is kept by browsers forever, under the same policy', async () => {
		const { statusCode, headers, body } = await page.get('main-1A.js');
		expect([statusCode, body]).toEqual([200, script]);
		expect(headers).toMatchObject({
			'content-type': 'text/javascript; charset=utf-8',
			'cache-control': 'public, max-age=31536000, immutable',
			'content-security-policy': policy,
			'x-content-type-options': 'nosniff',
			etag: 'W/"script"',
		});
	});

	test('is sent as it was compressed to a client that accepts gzip', async () => {
		const { headers, body, isBase64Encoded } = await page.get('main-1A.js', { 'accept-encoding': 'gzip, br' });
		expect([headers?.['content-encoding'], isBase64Encoded, body]).toEqual(['gzip', true, gzipSync(script).toString('base64')]);
	});

	test.each(['', 'main', 'MAIN-1A.JS', 'main-1B.js', '../index.html', '__proto__', 'constructor'])(
		'that is not there is 404 without a body, and nobody keeps that: %j',
		async (name) => {
			const { statusCode, body, headers } = await page.get(name);
			expect([statusCode, body, headers?.['cache-control']]).toEqual([404, undefined, 'no-store']);
		},
	);
});
