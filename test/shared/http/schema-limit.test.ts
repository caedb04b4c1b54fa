import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ok } from '#http/api-response.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import type { RequestRecord } from '#http/log.ts';
import { createAuthorizedHandler } from '#http/own-authorization.ts';
import { createSchemaLimit } from '#http/schema-limit.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { makeEvent } from '#test/support/builders/events.ts';

/** An event of a schema, without claims where it is null. */
const eventOf = (schema: string | null) => {
	const event = makeEvent('GET /usages', { claims: schema === null ? {} : { schema, tsdb: 'd' } });
	return schema === null ? { ...event, requestContext: { ...event.requestContext, authorizer: undefined } } : event;
};

/** Opens a handler whose requests of `h` wait until they are told how they end, and others are answered at once. */
const open = (limit: number) => {
	const waiting: PromiseWithResolvers<void>[] = [];
	const respond = async (event: Parameters<ReturnType<typeof createLambdaHandler>>[0]) => {
		if (JSON.stringify(event.requestContext.authorizer ?? '').includes('"h"')) {
			const ending = Promise.withResolvers<void>();
			waiting.push(ending);
			await ending.promise;
		}
		return ok({});
	};
	return { schemaLimit: createSchemaLimit(limit), waiting, respond };
};

test('a schema has as many requests under way as the limit says; the next one is 503 at once, and other schemas are served', async () => {
	const { schemaLimit, waiting, respond } = open(2);
	const handler = createLambdaHandler(silentLog, respond);
	const send = (schema: string | null) => handler(eventOf(schema), schemaLimit);
	const hanging = [send('h'), send('h')];
	const refused = await send('h');
	expect([refused.statusCode, refused.headers?.['retry-after']]).toEqual([503, '1']);
	expect(JSON.parse(refused.body ?? '')).toMatchObject({
		request: { code: 'schema_busy', params: { setting: 'REQUESTS_PER_SCHEMA', limit: 2 } },
	});
	for (const schema of ['other', 'other', 'other', null]) expect((await send(schema)).statusCode).toBe(200);
	// A place is free again after an answer, and after an error.
	waiting[0]?.resolve();
	waiting[1]?.reject(new Error('failed'));
	expect((await Promise.all(hanging)).map(({ statusCode }) => statusCode)).toEqual([200, 500]);
	const later = [send('h'), send('h')];
	expect((await send('h')).statusCode).toBe(503);
	for (const { resolve } of waiting) resolve();
	expect((await Promise.all(later)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
});

test('a request whose function checks the credentials itself counts from then on, by the claims that it found', async () => {
	const { schemaLimit, waiting, respond } = open(1);
	const authorization = async () => eventOf('h');
	const records: RequestRecord[] = [];
	const log = { ...silentLog, request: (record: RequestRecord) => void records.push(record) };
	const handler = createAuthorizedHandler({ log, authorization }, respond);
	const [first, second] = [handler(eventOf(null), schemaLimit), handler(eventOf(null), schemaLimit)];
	expect((await second).statusCode).toBe(503);
	waiting[0]?.resolve();
	expect((await first).statusCode).toBe(200);
	expect(records.map(({ schema, status }) => [schema, status])).toEqual([
		['h', 503],
		['h', 200],
	]);
	expect(() => schemaLimit.begin('h')).not.toThrow();
});

test('a refused request takes no place', async () => {
	const { schemaLimit, respond } = open(1);
	const authorization = async () => ({ status: 401, body: {} });
	const handler = createAuthorizedHandler({ log: silentLog, authorization }, respond);
	expect((await handler(eventOf(null), schemaLimit)).statusCode).toBe(401);
	expect(() => schemaLimit.begin('h')).not.toThrow();
});

test('for any order of requests, a schema is refused exactly while it has as many under way as it may', () => {
	let refused = 0;
	const step = fc.record({ schema: fc.constantFrom('a', 'b', 'c'), ends: fc.boolean() });
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60, size: 'max' }), (most, steps) => {
			const limit = createSchemaLimit(most);
			const underWay = new Map<string, (() => void)[]>();
			for (const { schema, ends } of steps) {
				const own = underWay.get(schema) ?? [];
				underWay.set(schema, own);
				if (ends) own.shift()?.();
				else if (own.length < most) own.push(limit.begin(schema));
				else {
					expect(() => limit.begin(schema)).toThrow('schema_busy');
					refused += 1;
				}
			}
		}),
	);
	expect(refused).toBeGreaterThan(100);
});
