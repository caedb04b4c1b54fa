import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { DomainError } from '../../../shared/domain/errors.ts';
import { type Answer, ok } from '../../../shared/http/answer.ts';
import { handle } from '../../../shared/http/handle.ts';
import type { Log } from '../../../shared/http/log.ts';
import { RequestError } from '../../../shared/http/request-error.ts';
import { makeEvent } from '../../support/events.ts';

interface Line {
	readonly level: 'info' | 'error';
	readonly message: string;
	readonly fields: Readonly<Record<string, unknown>>;
}

let lines: Line[];
const log: Log = {
	info: (message, fields) => void lines.push({ level: 'info', message, fields }),
	error: (message, fields) => void lines.push({ level: 'error', message, fields }),
};

beforeEach(() => {
	lines = [];
});

const gzipHeaders = { 'accept-encoding': 'gzip' };
const answerOf = (answer: () => Answer, headers: Readonly<Record<string, string>> = {}) =>
	handle(log, async () => answer())(makeEvent('GET /getVarsTsdb', { headers }));

/** A body whose JSON has so many characters. */
const bodyOf = (length: number): string => 'x'.repeat(length - 2);

describe('an answer', () => {
	test('is JSON, not to be stored by anyone', async () => {
		expect(await answerOf(() => ok({ data: [{ name: 'Presión' }] }))).toEqual({
			statusCode: 200,
			headers: { 'content-type': 'application/json', 'cache-control': 'no-store', vary: 'accept-encoding' },
			body: '{"data":[{"name":"Presión"}]}',
		});
	});

	test('may have headers of its own, and those win', async () => {
		const { headers } = await answerOf(() => ok({}, { etag: '"3"', 'cache-control': 'public, max-age=3600' }));
		expect(headers).toMatchObject({ etag: '"3"', 'cache-control': 'public, max-age=3600', 'content-type': 'application/json' });
	});

	test('of 1,024 characters is gzipped where the client takes that', async () => {
		const result = await answerOf(() => ok(bodyOf(1024)), gzipHeaders);
		expect(result.isBase64Encoded).toBe(true);
		expect(result.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
		expect(gunzipSync(Buffer.from(result.body ?? '', 'base64')).toString()).toBe(JSON.stringify(bodyOf(1024)));
	});

	test('of 1,023 is not', async () => {
		const result = await answerOf(() => ok(bodyOf(1023)), gzipHeaders);
		expect(result.isBase64Encoded).toBeUndefined();
		expect(result.headers).not.toHaveProperty('content-encoding');
		expect(result.body).toBe(JSON.stringify(bodyOf(1023)));
	});

	test('is not gzipped for a client that does not take that, and says that it could be', async () => {
		const result = await answerOf(() => ok(bodyOf(5000)), { 'accept-encoding': 'gzip;q=0' });
		expect(result.body).toBe(JSON.stringify(bodyOf(5000)));
		expect(result.headers).toMatchObject({ vary: 'accept-encoding' });
		expect(result.headers).not.toHaveProperty('content-encoding');
	});

	test('gzipped is the same text, whatever it is written in', async () => {
		const body = { data: Array.from({ length: 500 }, (_, id) => ({ id, name: 'Caudal 水 😀' })) };
		const result = await answerOf(() => ok(body), gzipHeaders);
		expect(JSON.parse(gunzipSync(Buffer.from(result.body ?? '', 'base64')).toString())).toEqual(body);
	});

	test('is not told to the operator', async () => {
		await answerOf(() => ok({}));
		expect(lines).toEqual([]);
	});
});

const throwing = (error: unknown) => () => {
	throw error;
};

describe('a refusal', () => {
	test.each([
		[400, new RequestError(400, 'id', 'Wrong.')],
		[400, new DomainError('invalid', { offences: [{ path: 'id', message: 'Wrong.' }] })],
		[404, new DomainError('not_found', { field: 'id', message: 'Wrong.' })],
		[412, new DomainError('version_mismatch', { stored: 1 })],
		[429, new DomainError('sign_in_blocked', { retryAfterMs: 1 })],
	])('of %i is answered, and not logged', async (status, error) => {
		const result = await answerOf(throwing(error));
		expect(result.statusCode).toBe(status);
		expect(result.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
		expect(lines).toEqual([]);
	});

	test('keeps its headers', async () => {
		const { headers } = await answerOf(throwing(new DomainError('sign_in_blocked', { retryAfterMs: 1500 })));
		expect(headers).toMatchObject({ 'retry-after': '2' });
	});

	test('of many fields is gzipped as any answer is', async () => {
		const offences = Array.from({ length: 100 }, (_, index) => ({ path: `ids.${index}`, message: 'Expected a number.' }));
		const result = await answerOf(throwing(new DomainError('invalid', { offences })), gzipHeaders);
		const body = JSON.parse(gunzipSync(Buffer.from(result.body ?? '', 'base64')).toString());
		expect(Object.keys(body)).toHaveLength(100);
	});
});

describe('a fault', () => {
	const secret = 'no such file: /var/secret';

	test.each([
		['a bug', 500, new TypeError(secret)],
		['an error with a cause', 500, new Error(secret, { cause: new Error('deeper') })],
		['something that is no error', 500, secret],
		['the database', 502, new DomainError('dependency_failed', { dependency: 'tsdb', cause: secret })],
		['the store', 503, new DomainError('store_failed', { cause: secret })],
		['the identity provider', 504, new DomainError('dependency_slow', { dependency: 'identityProvider', cause: secret })],
	])('is exactly one line with the request id, route and error, and leaks nothing: %s', async (_, status, error) => {
		const result = await answerOf(throwing(error));
		expect(result.statusCode).toBe(status);
		expect(JSON.stringify(result)).not.toContain(secret);
		expect(lines).toEqual([
			{
				level: 'error',
				message: 'A request failed.',
				fields: {
					requestId: 'request',
					routeKey: 'GET /getVarsTsdb',
					error: expect.stringContaining(secret),
				},
			},
		]);
	});

	test('is logged with its stack and its causes, and whatever is thrown is answered', async () => {
		await answerOf(throwing(new Error('outer', { cause: new Error('deeper') })));
		expect(lines).toMatchObject([{ fields: { error: expect.stringMatching(/outer[\s\S]*at [\s\S]*deeper/) } }]);
		expect((await answerOf(throwing(Object.create(null)))).statusCode).toBe(500);
	});

	test('logs neither body nor headers', async () => {
		const event = makeEvent('POST /saveVariable', { body: { name: 'private' }, headers: { authorization: 'Bearer abc' } });
		await handle(log, async () => throwing(new Error('bug'))())(event);
		expect(lines).toHaveLength(1);
		expect(JSON.stringify(lines)).not.toMatch(/private|Bearer/);
	});

	test('is also an answer that cannot be written as JSON', async () => {
		const ring: Record<string, unknown> = {};
		ring['self'] = ring;
		for (const body of [ring, { id: 1n }]) {
			lines = [];
			expect((await answerOf(() => ok(body))).statusCode).toBe(500);
			expect(lines).toHaveLength(1);
		}
	});
});
