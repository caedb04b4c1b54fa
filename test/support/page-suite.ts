import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ApiHandler } from '#http/event.ts';
import type { PageDeps } from '#http/page.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { makeEvent } from './builders/events.ts';

/** An endpoint that serves a page and its files. */
interface Page {
	readonly createHandler: (deps: PageDeps) => ApiHandler;
	readonly path: string;
	readonly policy: string;
	/** The headers that only this page has. */
	readonly ownHeaders?: Readonly<Record<string, string>>;
	/** `Cache-Control` of the page, and of its files. */
	readonly caching: { readonly page: string; readonly file: string };
}

const html = '<!doctype html><title>Válvula</title>';
const script = 'start();'.repeat(500);
const scriptName = 'main-1A.js';

const fileOf = (type: string, text: string, etag: string) => ({ type, etag, gzip: gzipSync(text).toString('base64') });
const files = JSON.stringify({
	'index.html': fileOf('text/html; charset=utf-8', html, 'W/"page"'),
	[scriptName]: fileOf('text/javascript; charset=utf-8', script, 'W/"script"'),
});

/** Creates the handler of a page, and counts how often it loads its files. */
export function openPage(createHandler: Page['createHandler']) {
	let loads = 0;
	const handler = createHandler({
		log: silentLog,
		files: async () => {
			loads += 1;
			return files;
		},
	});
	return { handler, loads: () => loads };
}

/** Defines the tests of an endpoint that serves a page and its files. */
export function pageSuite({ createHandler, path, policy, ownHeaders = {}, caching }: Page): void {
	let opened: ReturnType<typeof openPage>;
	beforeEach(() => {
		opened = openPage(createHandler);
	});
	/** Asks for a file, or without a name for the page. */
	const get = (name?: string, headers: Readonly<Record<string, string>> = {}) => {
		const event = makeEvent(name === undefined ? `GET ${path}` : `GET ${path}/{file}`, { headers });
		return opened.handler(name === undefined ? event : { ...event, rawPath: `${path}/${name}`, pathParameters: { file: name } });
	};
	const headersOf = (type: string, cacheControl: string, etag: string) => ({
		'content-type': `text/${type}; charset=utf-8`,
		'content-security-policy': policy,
		...ownHeaders,
		'x-content-type-options': 'nosniff',
		'referrer-policy': 'no-referrer',
		'strict-transport-security': 'max-age=31536000',
		'cache-control': cacheControl,
		vary: 'accept-encoding',
		etag,
	});

	describe.each([
		{ what: 'the page', name: undefined, text: html, headers: headersOf('html', caching.page, 'W/"page"') },
		{ what: 'a file of the page', name: scriptName, text: script, headers: headersOf('javascript', caching.file, 'W/"script"') },
	])('$what', ({ name, text, headers: own }) => {
		test('has its own type, tag and caching, under the policy of the page', async () => {
			expect(await get(name)).toEqual({ statusCode: 200, headers: own, body: text, isBase64Encoded: false });
		});

		test('is sent as it was compressed to a client that accepts gzip', async () => {
			const { headers, body, isBase64Encoded } = await get(name, { 'accept-encoding': 'gzip, br' });
			expect(headers).toEqual({ ...own, 'content-encoding': 'gzip' });
			expect([isBase64Encoded, body]).toEqual([true, gzipSync(text).toString('base64')]);
		});

		test.each([own.etag, own.etag.slice(2), `"other", ${own.etag}`, '*'])(
			'is 304 without a body for If-None-Match: %s',
			async (sent) => {
				const { statusCode, body, headers } = await get(name, { 'if-none-match': sent, 'accept-encoding': 'gzip' });
				expect([statusCode, body, headers?.['content-encoding']]).toEqual([304, undefined, undefined]);
				const { etag, 'content-security-policy': sentPolicy, 'cache-control': cacheControl } = own;
				expect(headers).toMatchObject({ etag, 'content-security-policy': sentPolicy, 'cache-control': cacheControl });
			},
		);

		test('is sent to a client with another version of it, and with the tag of another file', async () => {
			for (const sent of ['"other"', 'W/"another"', ''])
				expect((await get(name, { 'if-none-match': sent })).statusCode).toBe(200);
		});
	});

	test('its files are read once, at the first request', async () => {
		expect(opened.loads()).toBe(0);
		for (const name of [undefined, undefined, scriptName]) await get(name);
		expect(opened.loads()).toBe(1);
	});

	test.each([
		'',
		'main',
		'MAIN-1A.JS',
		'main-1B.js',
		'main-1A.js.map',
		'../index.html',
		'..%2findex.html',
		'/etc/passwd',
		'__proto__',
		'constructor',
	])('a file that is not there is 404 without a body, and nobody keeps that: %j', async (name) => {
		const { statusCode, body, headers } = await get(name);
		expect([statusCode, body, headers?.['cache-control']]).toEqual([404, undefined, 'no-store']);
	});
}
