import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import { type ApiResponse, ok, withReadings } from '#http/api-response.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import type { Log, RequestRecord } from '#http/log.ts';
import { RequestError } from '#http/request-error.ts';
import { makeEvent } from '#test/support/builders/events.ts';

interface Line {
	readonly level: 'info' | 'error';
	readonly message: string;
	readonly fields: Readonly<Record<string, unknown>>;
}

let lines: Line[];
let records: RequestRecord[];
const log: Log = {
	info: (message, fields) => void lines.push({ level: 'info', message, fields }),
	error: (message, fields) => void lines.push({ level: 'error', message, fields }),
	request: (record) => void records.push(record),
};

beforeEach(() => {
	lines = [];
	records = [];
});

const gzipHeaders = { 'accept-encoding': 'gzip' };
const answerOf = (answer: () => ApiResponse, headers: Readonly<Record<string, string>> = {}) =>
	createLambdaHandler(log, async () => answer())(makeEvent('GET /getVarsTsdb', { headers }));

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

	test('is no line beside its record', async () => {
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
	])('of %i is answered, and is no line beside its record', async (status, error) => {
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
		await createLambdaHandler(log, async () => throwing(new Error('bug'))())(event);
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

describe('the record of a request', () => {
	const record = (status: number, outcome: RequestRecord['outcome']) => ({
		requestId: 'request',
		routeKey: 'GET /getVarsTsdb',
		status,
		outcome,
		durationMs: expect.any(Number),
	});
	const ring: Record<string, unknown> = {};
	ring['self'] = ring;

	test.each<[string, RequestRecord['outcome'], number, () => ApiResponse]>([
		['a success', 'ok', 200, () => ok({})],
		['a gzipped success', 'ok', 200, () => ok(bodyOf(5000))],
		['a redirection', 'ok', 304, () => ({ status: 304, body: null })],
		['the first refusal', 'refused', 400, throwing(new RequestError(400, 'id', 'Wrong.'))],
		['a domain refusal', 'refused', 404, throwing(new DomainError('not_found', { field: 'id', message: 'Wrong.' }))],
		['a sign-in blocked', 'refused', 429, throwing(new DomainError('sign_in_blocked', { retryAfterMs: 1 }))],
		['an answer too large', 'refused', 413, () => ok('x'.repeat(6 * 1024 * 1024))],
		['a bug', 'fault', 500, throwing(new TypeError('bug'))],
		['no JSON', 'fault', 500, () => ok(ring)],
		['a dependency', 'fault', 502, throwing(new DomainError('dependency_failed', { dependency: 'tsdb', cause: 'x' }))],
		['contention', 'fault', 503, throwing(new DomainError('write_contention', { retryAfterMs: 1 }))],
		['a slow dependency', 'fault', 504, throwing(new DomainError('dependency_slow', { dependency: 'tsdb', cause: 'x' }))],
	])('says what became of it, once: %s', async (_, outcome, status, answer) => {
		const result = await answerOf(answer, status === 413 ? {} : gzipHeaders);
		expect(result.statusCode).toBe(status);
		expect(records).toEqual([record(status, outcome)]);
	});

	test('says how long it took, to a tenth of a millisecond', async () => {
		const times = [1000, 1012.3456];
		await createLambdaHandler(
			log,
			async () => ok({}),
			() => times.shift() ?? Number.NaN,
		)(makeEvent('GET /health'));
		expect(records).toMatchObject([{ durationMs: 12.3 }]);
	});

	test('counts the readings of the answer by quality, and no others', async () => {
		const readings = (['good', 'stale', 'good', 'bad'] as const).map((quality) => ({ quality }));
		await answerOf(() => withReadings(readings, ok({})));
		await answerOf(() => withReadings([], ok({})));
		await answerOf(() => ok({ data: readings }));
		expect(records.map((each) => each.readings)).toEqual([{ good: 2, stale: 1, bad: 1 }, {}, undefined]);
		expect(records[2]).not.toHaveProperty('readings');
	});

	test('counts none of an answer that was too large to send', async () => {
		await answerOf(() => withReadings([{ quality: 'good' }], ok('x'.repeat(6 * 1024 * 1024))));
		expect(records).toEqual([record(413, 'refused')]);
	});

	test('is of the route, never of what the request says', async () => {
		const event = makeEvent('POST /deleteVar/{id}', {
			id: 4711,
			body: { name: 'private' },
			headers: { authorization: 'Bearer private' },
			query: { dryRun: 'private' },
		});
		await createLambdaHandler(log, async () => ok({ data: 'private' }))(event);
		expect(records).toEqual([{ ...record(200, 'ok'), routeKey: 'POST /deleteVar/{id}' }]);
		expect(JSON.stringify(records)).not.toMatch(/private|4711/);
	});

	test.each([['success', () => ok({ done: true }), 200] as const, ['fault', throwing(new Error('bug')), 500] as const])(
		'does not decide what the client is answered, where the log fails: a %s',
		async (_, answer, status) => {
			const broken = throwing(new Error('no space left'));
			const event = makeEvent('GET /getVarsTsdb');
			const result = await createLambdaHandler({ info: broken, error: broken, request: broken }, async () => answer())(event);
			expect(result.statusCode).toBe(status);
		},
	);

	test('is written although the error line cannot be', async () => {
		const unreadable = new Error('bug');
		Object.defineProperty(unreadable, 'message', { get: throwing(new Error('no message')) });
		expect((await answerOf(throwing(unreadable))).statusCode).toBe(500);
		expect(records).toEqual([record(500, 'fault')]);
	});
});
