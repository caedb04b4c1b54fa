import { once } from 'node:events';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { InfluxDB, Point as InfluxPoint, setLogger } from '@influxdata/influxdb-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import { openSqliteTimeSeries, type SqliteTimeSeries } from '#infra/local/adapters/sqlite-time-series/sqlite-time-series.ts';
import { parseTarget, type RawRequest, readBody, send } from '#infra/local/gateway/http.ts';
import { createWriteApi, writePath } from '#infra/local/influx-write-api/write-api.ts';
import { maxWriteBytes } from '#infra/local/influx-write-api/write-body.ts';

const dayMs = 86_400_000;
const now = Date.UTC(2024, 2, 15, 12);
const token = 'write-token';
const retentionMs = 400 * dayMs;

let series: SqliteTimeSeries;
beforeEach(async () => {
	series = await openSqliteTimeSeries({ file: ':memory:', topicColumn: '_measurement' });
});
afterEach(() => series.close());

interface WriteRequest {
	readonly method?: string;
	readonly path?: string;
	readonly query?: string;
	readonly headers?: RawRequest['headers'];
	readonly body?: string | Buffer;
}

const post = async ({
	method = 'POST',
	path = writePath,
	query = 'bucket=plant_a&precision=ms&org=x',
	headers,
	body = '',
}: WriteRequest) => {
	const write = createWriteApi({
		writeLines: (...sent) => series.writeLines(...sent),
		hasBucket: async (name) => ['plant_a', 'plant_b'].includes(name),
		...{ token, retentionMs, now: () => now },
	});
	const request = { method, path, query: new URLSearchParams(query), readBody: async () => Buffer.from(body) };
	const response = await write({ ...request, headers: { authorization: `Token ${token}`, ...headers } });
	const text = String(response.body);
	return { status: response.status, headers: response.headers, body: text === '' ? '' : JSON.parse(text) };
};

const newestOf = async (topic: string, database = 'plant_a') => {
	const key: SeriesKey = { read: 'newest', topic, field: 'f', lookback: { ms: 500 * dayMs } };
	const [result] = await series.read(database, [key], now);
	return result !== undefined && 'times' in result && result.times.length > 0 ? [result.times[0], result.values[0]] : null;
};

const before = now - 1000;

test('stores the points and responds 204 without a body', async () => {
	expect(await post({ body: `m f=1.5 ${before}\nn f=2i,g=3i ${before}` })).toEqual({ status: 204, headers: {}, body: '' });
	expect(await newestOf('m')).toEqual([before, 1.5]);
	expect(await newestOf('n')).toEqual([before, 2]);
	expect(await newestOf('m', 'plant_b')).toBeNull();
});

test('accepts a body with only a comment', async () => {
	expect(await post({ body: '# nothing\n' })).toMatchObject({ status: 204 });
});

describe('the authorization header', () => {
	test.each([
		['Token write-token', 204],
		['Bearer write-token', 204],
		['token write-token', 204],
		['Token write-toke', 401],
		['Token write-token2', 401],
		['Token ', 401],
		['write-token', 401],
		['Basic write-token', 401],
		[undefined, 401],
	])('%j results in %j', async (authorization, status) => {
		const response = await post({ headers: { authorization }, body: `m f=1 ${before}` });
		expect(response.status).toBe(status);
		if (status === 401) expect(response.body).toEqual({ code: 'unauthorized', message: 'unauthorized access' });
		expect(await newestOf('m')).toEqual(status === 401 ? null : [before, 1]);
	});

	test('is checked before everything else', async () => {
		expect(await post({ headers: { authorization: 'Token x' }, query: '', body: '\xff' })).toMatchObject({ status: 401 });
	});
});

describe('the query', () => {
	test.each(['', 'bucket=', 'org=x'])('rejects the query %j, which names no bucket', async (query) => {
		expect(await post({ query, body: `m f=1` })).toMatchObject({ status: 404, body: { code: 'not found' } });
	});

	test.each([
		['ns', 1_000_000],
		['us', 1000],
		['ms', 1],
		['s', 0.001],
	])('accepts precision %s', async (precision, perMs) => {
		const time = (BigInt(before) * BigInt(Math.max(1, perMs))) / BigInt(perMs < 1 ? 1000 : 1);
		expect(await post({ query: `bucket=plant_a&precision=${precision}`, body: `m f=1 ${time}` })).toMatchObject({ status: 204 });
		expect(await newestOf('m')).toEqual([before, 1]);
	});

	test('uses the precision ns by default', async () => {
		await post({ query: 'bucket=plant_a', body: `m f=1 ${before}000000` });
		expect(await newestOf('m')).toEqual([before, 1]);
	});

	test.each(['u', 'h', 'm', 'NS', 'toString'])('rejects precision %j', async (precision) => {
		const response = await post({ query: `bucket=plant_a&precision=${precision}`, body: 'm f=1' });
		expect(response).toMatchObject({ status: 400, body: { code: 'invalid', message: expect.stringContaining('precision') } });
	});

	test("gives a point without a time the server's current time", async () => {
		await post({ body: 'm f=1' });
		const key: SeriesKey = { read: 'newest', topic: 'm', field: 'f', lookback: { ms: dayMs } };
		expect(await series.read('plant_a', [key], now)).toMatchObject([{ times: [] }]);
		expect(await series.read('plant_a', [key], now + 1)).toMatchObject([{ times: [now], values: [1] }]);
	});
});

describe('the body', () => {
	test.each(['gzip', 'GZIP', ' gzip '])('accepts content-encoding %j', async (encoding) => {
		const body = gzipSync(`m f=1 ${before}`);
		expect(await post({ headers: { 'content-encoding': encoding }, body })).toMatchObject({ status: 204 });
		expect(await newestOf('m')).toEqual([before, 1]);
	});

	test('accepts content-encoding identity', async () => {
		expect(await post({ headers: { 'content-encoding': 'identity' }, body: 'm f=1' })).toMatchObject({ status: 204 });
	});

	test.each(['br', 'deflate', 'gzip, gzip'])('rejects content-encoding %j', async (encoding) => {
		expect(await post({ headers: { 'content-encoding': encoding }, body: 'm f=1' })).toMatchObject({ status: 415 });
	});

	test.each([
		['is not gzip', Buffer.from('m f=1')],
		['is gzip cut short', gzipSync('m f=1 \n'.repeat(1000)).subarray(0, 20)],
	])('rejects a body that %s', async (_, body) => {
		const response = await post({ headers: { 'content-encoding': 'gzip' }, body });
		expect(response).toMatchObject({ status: 400, body: { code: 'invalid', message: 'the body is not gzip' } });
	});

	test.each(['\xff', 'm f="\xc3\x28"'])('rejects %j, which is not UTF-8', async (bytes) => {
		const response = await post({ body: Buffer.from(bytes, 'latin1') });
		expect(response).toMatchObject({ status: 400, body: { code: 'invalid', message: 'the body is not UTF-8' } });
	});

	test.each([
		['of the largest size', 0, 204],
		['one byte larger', 1, 413],
	])('limits the size: a body %s, plain and decompressed', async (_, more, status) => {
		const body = Buffer.alloc(maxWriteBytes + more, '#');
		expect(await post({ body })).toMatchObject({ status });
		expect(await post({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(body) })).toMatchObject({ status });
	});
});

describe('lines that cannot be stored', () => {
	test('names the bad lines, and stores nothing, as InfluxDB does', async () => {
		const response = await post({ body: `a f=1 ${before}\nb f=\nc f=3 ${before}\nd` });
		expect(response).toMatchObject({ status: 400, headers: { 'x-platform-error-code': 'invalid' } });
		expect(response.body).toEqual({
			code: 'invalid',
			message: [
				'line 2: unable to parse \'b f=\': field "f": missing field value',
				"line 4: unable to parse 'd': missing fields",
				'no line was stored',
			].join('\n'),
		});
		expect([await newestOf('a'), await newestOf('c')]).toEqual([null, null]);
	});

	test.each([
		[20, ['no line was stored']],
		[21, ['and more bad lines', 'no line was stored']],
		[5000, ['and more bad lines', 'no line was stored']],
	])('names twenty of %i bad lines', async (count, others) => {
		const { body } = await post({ body: 'x\n'.repeat(count) });
		expect(body.message.match(/line \d+:/g)).toHaveLength(20);
		expect(body.message.split('\n').slice(20)).toEqual(others);
	});

	test.each([
		['at the edge of', 0, 204],
		['a millisecond beyond', -1, 422],
	])('checks a point %s the retention', async (_, offset, status) => {
		const old = now - retentionMs + offset;
		const response = await post({ body: `old f=1 ${old}\nnew f=2 ${before}` });
		expect(response.status).toBe(status);
		if (status === 422)
			expect(response.body).toEqual({
				code: 'unprocessable entity',
				message:
					'failure writing points to database: partial write: dropped 1 points outside retention policy of duration 9600h0m0s dropped=1; not stored: line 1',
			});
		expect(await newestOf('old')).toEqual(status === 204 ? [old, 1] : null);
		expect(await newestOf('new')).toEqual([before, 2]);
	});

	test('names lines of every reason together', async () => {
		const { status, body } = await post({ body: `m f=1,g=2 2\nm f=1 ${before}\nm f=1i,g=2 ${before}\nm time=1\nm f=2i` });
		expect(status).toBe(422);
		expect(body.message).toBe(
			[
				'failure writing points to database: partial write: field type conflict: input field "f" on measurement "m" is type integer, already exists as type float dropped=2',
				'invalid field name: input field "time" on measurement "m" is invalid dropped=1',
				'dropped 1 points outside retention policy of duration 9600h0m0s dropped=1',
				'not stored: lines 1, 3-5',
			].join('; '),
		);
	});

	test('names lines in ranges, and counts those beyond twenty ranges', async () => {
		const good = `a f=1 ${before}`;
		const message = async (...lines: readonly string[]) => (await post({ body: lines.join('\n') })).body.message;
		expect(await message(good, 'b f=1 1', '# comment', good, 'b f=1 1', 'b f=1 2')).toMatch(/; not stored: lines 2, 5-6$/);
		expect(await message(`s f="two\nlines",g=1 ${before}`, 'b f=1 1')).toMatch(/; not stored: line 3$/);
		const every = Array.from({ length: 30 }, (_, index) => 2 * index + 2);
		const text = every.slice(0, 20).join(', ');
		expect(await message(...every.flatMap(() => [good, 'b f=1 1']))).toMatch(
			new RegExp(`; not stored: lines ${text} and 10 more$`),
		);
	});

	test('names twenty reasons', async () => {
		const body = (value: string) => Array.from({ length: 25 }, (_, index) => `m f${index}=${value} ${before}`).join('\n');
		await post({ body: body('1') });
		const { message } = (await post({ body: body('true') })).body;
		expect(message.match(/field type conflict/g)).toHaveLength(20);
		expect(message).toMatch(/; and 5 more reasons; not stored: lines 1-25$/);
	});
});

describe('a sample ahead of the clock', () => {
	test.each([
		['by a minute', 60_000, undefined],
		['by more than a minute', 60_001, '1 sample ahead of the clock, the first in line 2 by 60 s'],
		['by a day', 86_400_000, '1 sample ahead of the clock, the first in line 2 by 86400 s'],
	])('%s is stored, and named in a header', async (_, aheadMs, warning) => {
		const body = `m f=1 ${before}\nahead f=2 ${now + aheadMs}`;
		const response = await post({ body });
		expect([response.status, response.headers['x-caudal-warning']]).toEqual([204, warning]);
		const key: SeriesKey = { read: 'newest', topic: 'ahead', field: 'f', lookback: { ms: dayMs } };
		expect(await series.read('plant_a', [key], now + aheadMs + 1)).toMatchObject([{ values: [2] }]);
	});

	test('is named beside refused lines, too', async () => {
		const { status, headers } = await post({ body: `m f=1 1\nm f=1,g=2 ${now + 90_000}\nm f=1 ${now + 90_000}` });
		expect([status, headers['x-caudal-warning']]).toEqual([422, '3 samples ahead of the clock, the first in line 2 by 90 s']);
	});
});

test('responds 503 when it cannot be read which buckets there are', async () => {
	const hasBucket = async () => Promise.reject(new DomainError('dependency_failed', { dependency: 'tsdb', cause: 'down' }));
	const write = createWriteApi({ writeLines: series.writeLines, hasBucket, token, retentionMs, now: () => now });
	const request = {
		method: 'POST',
		path: writePath,
		query: new URLSearchParams('bucket=b'),
		readBody: async () => Buffer.from(''),
	};
	expect(await write({ ...request, headers: { authorization: `Token ${token}` } })).toMatchObject({ status: 503 });
});

test('refuses a bucket that is not known with 404, before the body is read', async () => {
	const response = await post({ query: 'bucket=plant_c', headers: { 'content-encoding': 'br' }, body: 'm f=1' });
	expect(response).toMatchObject({ status: 404, headers: { 'x-platform-error-code': 'not found' } });
	expect(response.body).toEqual({ code: 'not found', message: 'bucket "plant_c" not found' });
});

test('responds 503 when the database fails, so that clients send the points again', async () => {
	await series.close();
	expect(await post({ body: 'm f=1' })).toMatchObject({ status: 503, body: { code: 'unavailable' } });
});

test.each([
	['GET', writePath, 405],
	['POST', `${writePath}/x`, 404],
])('responds to %s %s with %i', async (method, path, status) => {
	expect(await post({ method, path, body: 'm f=1' })).toMatchObject({ status });
});

test("InfluxDB's own client writes through it, with gzip, and receives an error for bad lines", async () => {
	setLogger({ error: () => undefined, warn: () => undefined });
	const write = createWriteApi({
		writeLines: series.writeLines,
		hasBucket: async () => true,
		token,
		retentionMs,
		now: () => now,
	});
	const server = createServer((request, response) => {
		const { method = '', headers } = request;
		const handled = write({ method, ...parseTarget(request), headers, readBody: (limit) => readBody(request, limit) });
		handled.then((result) => send(response, result)).catch(() => response.destroy());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	const failed: unknown[] = [];
	const client = new InfluxDB({ url: `http://127.0.0.1:${port}`, token }).getWriteApi('org', 'plant_a', 'ms', {
		gzipThreshold: 10,
		maxRetries: 0,
		writeFailed: (error) => {
			failed.push(error);
		},
	});
	client.writePoint(new InfluxPoint('a b,c').tag('t k', 'v=1, 2').floatField('f', 1.5).timestamp(before));
	client.writePoint(new InfluxPoint('i').intField('f', -7).timestamp(before));
	client.writePoint(new InfluxPoint('u').uintField('f', 7).timestamp(before));
	client.writePoint(new InfluxPoint('s').stringField('f', 'a "b" \\ c\nd').booleanField('b', true).timestamp(before));
	await client.flush();
	expect(failed).toEqual([]);
	client.writeRecord('bad');
	await client.flush().catch(() => undefined);
	await client.close().catch(() => undefined);
	expect(failed).toMatchObject([{ statusCode: 400 }]);
	server.closeAllConnections();
	server.close();
	expect(await newestOf('a b,c')).toEqual([before, 1.5]);
	expect(await newestOf('i')).toEqual([before, -7]);
	expect(await newestOf('u')).toEqual([before, 7]);
	expect(await newestOf('s')).toEqual([before, null]);
});
