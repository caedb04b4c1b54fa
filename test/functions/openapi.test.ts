import { expect, test } from 'vitest';
import { createHandler } from '#functions/openapi/handler.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { makeEvent } from '#test/support/builders/events.ts';

const body = { openapi: '3.1.0', paths: {} };

const handlerOf = (document: object) => createHandler({ log: silentLog, document: async () => JSON.stringify(document) });

const get = (handler: ReturnType<typeof handlerOf>, headers: Record<string, string> = {}) =>
	handler(makeEvent('GET /openapi.json', { headers }));

test('returns the document, which may be cached', async () => {
	const { statusCode, body: text, headers } = await get(handlerOf(body));
	expect([statusCode, JSON.parse(text ?? '')]).toEqual([200, body]);
	expect(headers).toMatchObject({ 'cache-control': 'public, max-age=300', etag: expect.stringMatching(/^W\/"[\w-]{22}"$/) });
});

test('has an ETag that depends on the text only', async () => {
	const [first, again, other] = await Promise.all(
		[body, { ...body }, { ...body, paths: { '/a': {} } }].map((each) => get(handlerOf(each))),
	);
	expect(again?.headers?.['etag']).toBe(first?.headers?.['etag']);
	expect(other?.headers?.['etag']).not.toBe(first?.headers?.['etag']);
});

test('answers 304 without a body to a client that has the document', async () => {
	const handler = handlerOf(body);
	const etag = String((await get(handler)).headers?.['etag']);
	for (const sent of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
		const { statusCode, body: text, headers } = await get(handler, { 'if-none-match': sent });
		expect([statusCode, text, headers?.['etag'], headers?.['content-type']], sent).toEqual([304, undefined, etag, undefined]);
	}
	for (const sent of ['"other"', 'W/"other"', etag.replaceAll('"', ''), '']) {
		expect((await get(handler, { 'if-none-match': sent })).statusCode, sent).toBe(200);
	}
});

test('creates the document once, at the first request', async () => {
	let created = 0;
	const handler = createHandler({
		log: silentLog,
		document: async () => {
			created += 1;
			return JSON.stringify(body);
		},
	});
	expect(created).toBe(0);
	for (let request = 0; request < 3; request += 1) await get(handler);
	expect(created).toBe(1);
});
