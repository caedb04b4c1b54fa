import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import { problem } from '#domain/validation/problem.ts';
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
const resultOf = (respond: () => ApiResponse, headers: Readonly<Record<string, string>> = {}) =>
	createLambdaHandler(log, async () => respond())(makeEvent('GET /getVarsTsdb', { headers }));

/** A body whose JSON has `length` characters. */
const bodyOf = (length: number): string => 'x'.repeat(length - 2);

describe('a response', () => {
	test('is JSON that must not be cached', async () => {
		expect(await resultOf(() => ok({ data: [{ name: 'Presión' }] }))).toEqual({
			statusCode: 200,
			headers: { 'content-type': 'application/json', 'cache-control': 'no-store', vary: 'accept-encoding' },
			body: '{"data":[{"name":"Presión"}]}',
		});
	});

	test('may override the default headers', async () => {
		const { headers } = await resultOf(() => ok({}, { etag: '"3"', 'cache-control': 'public, max-age=3600' }));
		expect(headers).toMatchObject({ etag: '"3"', 'cache-control': 'public, max-age=3600', 'content-type': 'application/json' });
	});

	test('a body of 1,024 characters is gzipped when the client accepts gzip', async () => {
		const result = await resultOf(() => ok(bodyOf(1024)), gzipHeaders);
		expect(result.isBase64Encoded).toBe(true);
		expect(result.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
		expect(gunzipSync(Buffer.from(result.body ?? '', 'base64')).toString()).toBe(JSON.stringify(bodyOf(1024)));
	});

	test('a body of 1,023 characters is not gzipped', async () => {
		const result = await resultOf(() => ok(bodyOf(1023)), gzipHeaders);
		expect(result.isBase64Encoded).toBeUndefined();
		expect(result.headers).not.toHaveProperty('content-encoding');
		expect(result.body).toBe(JSON.stringify(bodyOf(1023)));
	});

	test('is not gzipped when the client refuses gzip, and still varies by Accept-Encoding', async () => {
		const result = await resultOf(() => ok(bodyOf(5000)), { 'accept-encoding': 'gzip;q=0' });
		expect(result.body).toBe(JSON.stringify(bodyOf(5000)));
		expect(result.headers).toMatchObject({ vary: 'accept-encoding' });
		expect(result.headers).not.toHaveProperty('content-encoding');
	});

	test('keeps non-ASCII text when gzipped', async () => {
		const body = { data: Array.from({ length: 500 }, (_, id) => ({ id, name: 'Caudal 水 😀' })) };
		const result = await resultOf(() => ok(body), gzipHeaders);
		expect(JSON.parse(gunzipSync(Buffer.from(result.body ?? '', 'base64')).toString())).toEqual(body);
	});

	test('logs nothing but the request record', async () => {
		await resultOf(() => ok({}));
		expect(lines).toEqual([]);
	});
});

const throwing = (error: unknown) => () => {
	throw error;
};

describe('a refusal', () => {
	test.each([
		[400, new RequestError(400, 'id', 'bad_path_id', 'Wrong.')],
		[400, new DomainError('invalid', { issues: [{ path: 'id', ...problem('required', 'Wrong.') }] })],
		[404, new DomainError('not_found', { kind: 'variable', id: 7 })],
		[412, new DomainError('version_mismatch', { stored: 1 })],
		[429, new DomainError('sign_in_blocked', { retryAfterMs: 1 })],
	])('of status %i logs nothing but the request record', async (status, error) => {
		const result = await resultOf(throwing(error));
		expect(result.statusCode).toBe(status);
		expect(result.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
		expect(lines).toEqual([]);
	});

	test('keeps its Retry-After header', async () => {
		const { headers } = await resultOf(throwing(new DomainError('sign_in_blocked', { retryAfterMs: 1500 })));
		expect(headers).toMatchObject({ 'retry-after': '2' });
	});

	test('a refusal with many fields is gzipped', async () => {
		const issues = Array.from({ length: 100 }, (_, index) => ({ path: `ids.${index}`, ...problem('required', 'Is required.') }));
		const result = await resultOf(throwing(new DomainError('invalid', { issues })), gzipHeaders);
		const body = JSON.parse(gunzipSync(Buffer.from(result.body ?? '', 'base64')).toString());
		expect(Object.keys(body)).toHaveLength(100);
	});

	test('a refusal with a body above the limit becomes a small 413', async () => {
		const issues = Array.from({ length: 200_000 }, (_, index) => ({
			path: `ids.${index}`,
			...problem('required', 'Is required.'),
		}));
		const { statusCode, body = '' } = await resultOf(throwing(new DomainError('invalid', { issues })));
		expect([statusCode, Object.keys(JSON.parse(body))]).toEqual([413, ['request']]);
		expect(records).toMatchObject([{ status: 413, outcome: 'refused' }]);
	});
});

describe('a fault', () => {
	const secret = 'no such file: /var/secret';

	test.each([
		['a bug', 500, new TypeError(secret)],
		['an error with a cause', 500, new Error(secret, { cause: new Error('deeper') })],
		['a thrown text', 500, secret],
		['the database', 502, new DomainError('dependency_failed', { dependency: 'tsdb', cause: secret })],
		['the store', 503, new DomainError('store_failed', { cause: secret })],
		['the identity provider', 504, new DomainError('dependency_slow', { dependency: 'identityProvider', cause: secret })],
	])('logs one line with request id, route and error, and shows the client nothing of it: %s', async (_, status, error) => {
		const result = await resultOf(throwing(error));
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

	test('is logged with its stack and causes, and any thrown value becomes a 500', async () => {
		await resultOf(throwing(new Error('outer', { cause: new Error('deeper') })));
		expect(lines).toMatchObject([{ fields: { error: expect.stringMatching(/outer[\s\S]*at [\s\S]*deeper/) } }]);
		expect((await resultOf(throwing(Object.create(null)))).statusCode).toBe(500);
	});

	test('logs no body and no headers', async () => {
		const event = makeEvent('POST /saveVariable', { body: { name: 'private' }, headers: { authorization: 'Bearer abc' } });
		await createLambdaHandler(log, async () => throwing(new Error('bug'))())(event);
		expect(lines).toHaveLength(1);
		expect(JSON.stringify(lines)).not.toMatch(/private|Bearer/);
	});

	test('includes a response that cannot be written as JSON', async () => {
		const ring: Record<string, unknown> = {};
		ring['self'] = ring;
		for (const body of [ring, { id: 1n }]) {
			lines = [];
			expect((await resultOf(() => ok(body))).statusCode).toBe(500);
			expect(lines).toHaveLength(1);
		}
	});
});

describe('the request record', () => {
	const record = (status: number, outcome: RequestRecord['outcome']) => ({
		requestId: 'request',
		routeKey: 'GET /getVarsTsdb',
		schema: 's',
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
		['a refusal of the HTTP layer', 'refused', 400, throwing(new RequestError(400, 'id', 'bad_path_id', 'Wrong.'))],
		['a refusal of the domain', 'refused', 404, throwing(new DomainError('not_found', { kind: 'variable', id: 7 }))],
		['a blocked sign-in', 'refused', 429, throwing(new DomainError('sign_in_blocked', { retryAfterMs: 1 }))],
		['a response that is too large', 'refused', 413, () => ok('x'.repeat(6 * 1024 * 1024))],
		['a bug', 'fault', 500, throwing(new TypeError('bug'))],
		['a response that is no JSON', 'fault', 500, () => ok(ring)],
		['a failed dependency', 'fault', 502, throwing(new DomainError('dependency_failed', { dependency: 'tsdb', cause: 'x' }))],
		['write contention', 'fault', 503, throwing(new DomainError('write_contention', { retryAfterMs: 1 }))],
		['a slow dependency', 'fault', 504, throwing(new DomainError('dependency_slow', { dependency: 'tsdb', cause: 'x' }))],
	])('has the status and outcome, and is logged once: %s', async (_, outcome, status, respond) => {
		const result = await resultOf(respond, status === 413 ? {} : gzipHeaders);
		expect(result.statusCode).toBe(status);
		expect(records).toEqual([record(status, outcome)]);
	});

	test('has the duration to a tenth of a millisecond', async () => {
		const times = [1000, 1012.3456];
		await createLambdaHandler(
			log,
			async () => ok({}),
			undefined,
			() => times.shift() ?? Number.NaN,
		)(makeEvent('GET /health'));
		expect(records).toMatchObject([{ durationMs: 12.3 }]);
	});

	test('counts the readings of the response by quality', async () => {
		const readings = (['good', 'stale', 'good', 'bad'] as const).map((quality) => ({ quality }));
		await resultOf(() => withReadings(readings, ok({})));
		await resultOf(() => withReadings([], ok({})));
		await resultOf(() => ok({ data: readings }));
		expect(records.map((each) => each.readings)).toEqual([{ good: 2, stale: 1, bad: 1 }, {}, undefined]);
		expect(records[2]).not.toHaveProperty('readings');
	});

	test('counts no readings of a response that was too large to send', async () => {
		await resultOf(() => withReadings([{ quality: 'good' }], ok('x'.repeat(6 * 1024 * 1024))));
		expect(records).toEqual([record(413, 'refused')]);
	});

	test('has no schema where a request has no claims', async () => {
		await createLambdaHandler(log, async () => ok({}))(makeEvent('GET /health', { claims: {} }));
		expect(records).toHaveLength(1);
		expect(records[0]).not.toHaveProperty('schema');
	});

	test('names the route, and holds nothing that the client sent', async () => {
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
		'cannot change the response when the log fails: a %s',
		async (_, respond, status) => {
			const broken = throwing(new Error('no space left'));
			const event = makeEvent('GET /getVarsTsdb');
			const result = await createLambdaHandler({ info: broken, error: broken, request: broken }, async () => respond())(event);
			expect(result.statusCode).toBe(status);
		},
	);

	test('is logged even when the error line cannot be written', async () => {
		const unreadable = new Error('bug');
		Object.defineProperty(unreadable, 'message', { get: throwing(new Error('no message')) });
		expect((await resultOf(throwing(unreadable))).statusCode).toBe(500);
		expect(records).toEqual([record(500, 'fault')]);
	});
});
