import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { SeriesKey, SeriesResult } from '#domain/ports/time-series.ts';
import { history, hour, newest, noon, ns } from '#test/contract/time-series/feed.ts';
import {
	type InfluxProxy,
	type InfluxProxyAction,
	type InfluxResponse,
	neverRespond,
	openInfluxProxy,
	passThrough,
	resetConnection,
	resetHalfway,
	respond,
	respondEndlessly,
	stopHalfway,
} from '#test/support/servers/influx-proxy.ts';
import { influxqlOptions, influxqlTarget } from '#test/support/servers/influxql.ts';
import { type InfluxTimeSeries, openInfluxqlAt } from '#test/support/servers/open-influx.ts';

const server = 'influxd1';
const database = 'faults';
const keys: readonly SeriesKey[] = [newest('a'), history('b', hour, hour), newest('huge')];
const [failed, slow] = ['dependency_failed', 'dependency_slow'] as const;

const msgpack = { 'content-type': 'application/x-msgpack' };
const respondInstead =
	(fake: Partial<InfluxResponse>): InfluxProxyAction =>
	(response) =>
		respond(response, { status: 200, headers: msgpack, body: Buffer.from(''), ...fake });
/** Sends the server's answer with another body. */
const respondChanged =
	(change: (body: Buffer) => Buffer): InfluxProxyAction =>
	async (response, forward) => {
		const original = await forward();
		respond(response, { ...original, body: change(original.body) });
	};
/** The text of MessagePack: a short string. */
const text = (value: string): Buffer => Buffer.concat([Buffer.of(0xa0 + value.length), Buffer.from(value)]);
/** Replaces bytes, each time that they are there. */
const replaced = (body: Buffer, from: Buffer, to: Buffer): Buffer =>
	Buffer.from(body.toString('latin1').replaceAll(from.toString('latin1'), to.toString('latin1')), 'latin1');
/** An answer whose first statement failed. */
const failedStatement = Buffer.concat([
	Buffer.of(0x81),
	text('results'),
	Buffer.of(0x91, 0x81),
	text('error'),
	text('query killed'),
]);
/** The end of a statement that has more parts. */
const partialStatement = (id: number): Buffer =>
	Buffer.concat([
		Buffer.of(0x81),
		text('results'),
		Buffer.of(0x91, 0x82),
		text('statement_id'),
		Buffer.of(id),
		text('partial'),
		Buffer.of(0xc3),
	]);

describe.skipIf(inject(server) === null)('InfluxQL with faults of InfluxDB', () => {
	let proxy: InfluxProxy;
	let series: InfluxTimeSeries;
	let expected: readonly SeriesResult[];
	/** The bodies that the server answered, in bytes. */
	const answered: number[] = [];

	beforeAll(async () => {
		const { access, databases } = influxqlTarget(server);
		await databases.create(database);
		const time = ns('2024-03-15T11:59:00Z');
		await databases.write(database, `a value=5 ${time}\nb value=7 ${time}\nhuge value=9007199254740993i ${time}`);
		proxy = await openInfluxProxy(access.url);
		series = openInfluxqlAt({
			...influxqlOptions(access),
			url: proxy.url,
			gzip: false,
			deadlineMs: 1000,
			maxResponseBytes: 1_000_000,
		});
		expected = await series.read(database, keys, noon);
		expect(expected.map((result) => 'values' in result && [...result.values, ...result.faults.values()])).toEqual([
			[5],
			[7],
			[null, 'precision'],
		]);
	});
	afterAll(async () => {
		series.close();
		proxy.close();
		await influxqlTarget(server).databases.delete(database);
	});

	test.each<[string, InfluxProxyAction, string, RegExp]>([
		[
			'401',
			respondInstead({ status: 401, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"error":"no"}') }),
			failed,
			/401/,
		],
		['503', respondInstead({ status: 503, headers: { 'retry-after': '7' } }), failed, /503.*Retry-After: 7/],
		[
			'another content type',
			respondInstead({ headers: { 'content-type': 'application/json' }, body: Buffer.from('{"results":[]}') }),
			failed,
			/content type/,
		],
		['404', respondInstead({ status: 404 }), failed, /404/],
		['429', respondInstead({ status: 429, headers: { 'retry-after': '30' } }), failed, /429.*Retry-After: 30/],
		['500 without a body', respondInstead({ status: 500 }), failed, /500/],
		['a redirect', respondInstead({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }), failed, /302/],
		['no content type', respondInstead({ headers: {} }), failed, /content type none/],
		['no answer', neverRespond, slow, /deadline/],
		['a connection closed before the answer', resetConnection, failed, /hang up|ECONNRESET/],
		['a connection reset in the middle of the answer', resetHalfway, failed, /abort|ECONNRESET/i],
		['an answer that stops in the middle', stopHalfway, slow, /deadline/],
		['an endless answer', respondEndlessly(msgpack, Buffer.alloc(10_000, 1)), failed, /more than 1000000 bytes/],
		['a series that was not requested', respondChanged((body) => replaced(body, text('b'), text('z'))), failed, /not requested/],
		['an empty answer', respondInstead({}), failed, /cut short: 0 of \d+/],
		[
			'a statement that failed, with status 200',
			respondChanged((body) => Buffer.concat([body, failedStatement])),
			failed,
			/query killed/,
		],
		['only a statement that failed', respondInstead({ body: failedStatement }), failed, /query killed/],
		['an answer that is cut in a value', respondChanged((body) => body.subarray(0, -1)), failed, /bounds|cut/],
		['an answer that is cut in a text', respondChanged((body) => body.subarray(0, 12)), failed, /bounds|cut/],
		['a statement whose last part is missing', respondInstead({ body: partialStatement(0) }), failed, /cut short: 0 of/],
		['rows after the last ones', respondChanged((body) => Buffer.concat([body, body])), failed, /after the last/],
		['bytes that are no MessagePack', respondInstead({ body: Buffer.from('<html>') }), failed, /MessagePack/],
		['a value of an unknown format', respondInstead({ body: Buffer.of(0x81, 0xc1) }), failed, /MessagePack/],
	])('fails on %s, and reads afterwards', async (_, action, code, cause) => {
		proxy.handleWith(action);
		await expect(series.read(database, keys, noon)).rejects.toMatchObject({
			code,
			payload: { dependency: 'tsdb', cause: expect.stringMatching(cause) },
		});
		proxy.handleWith(passThrough);
		expect(await series.read(database, keys, noon)).toEqual(expected);
	});

	test('fails when the connection is refused, and on a gzipped answer that is cut', async () => {
		const closed = await openInfluxProxy(proxy.url);
		closed.close();
		const refused = openInfluxqlAt({ ...influxqlOptions(influxqlTarget(server).access), url: closed.url });
		await expect(refused.read(database, keys, noon)).rejects.toMatchObject({
			code: failed,
			payload: { cause: expect.stringMatching(/ECONNREFUSED/) },
		});
		refused.close();
		const zipped = openInfluxqlAt({ ...influxqlOptions(influxqlTarget(server).access), url: proxy.url, deadlineMs: 1000 });
		expect(await zipped.read(database, keys, noon)).toEqual(expected);
		proxy.handleWith(respondChanged((body) => body.subarray(0, body.length / 2)));
		await expect(zipped.read(database, keys, noon)).rejects.toMatchObject({ code: failed });
		for (const [action, code] of [
			[resetHalfway, failed],
			[stopHalfway, slow],
		] as const) {
			proxy.handleWith(action);
			await expect(zipped.read(database, keys, noon)).rejects.toMatchObject({ code });
		}
		proxy.handleWith(passThrough);
		expect(await zipped.read(database, keys, noon)).toEqual(expected);
		zipped.close();
	});

	test('repeats a request when the connection closed before the answer, and not when it closed later', async () => {
		await series.read(database, keys.slice(0, 2), noon);
		proxy.newRequests();
		let first = true;
		proxy.handleWith((response, forward) => {
			const action = first ? resetConnection : passThrough;
			first = false;
			return action(response, forward);
		});
		expect(await series.read(database, keys.slice(0, 2), noon)).toEqual(expected.slice(0, 2));
		expect(proxy.newRequests()).toBe(2);
		proxy.handleWith(resetHalfway);
		await expect(series.read(database, keys.slice(0, 2), noon)).rejects.toMatchObject({ code: failed });
		expect(proxy.newRequests()).toBe(1);
		proxy.handleWith(passThrough);
	});

	test('sends nothing more for a while when statements hang and only the version is told', async () => {
		const other = openInfluxqlAt({ ...influxqlOptions(influxqlTarget(server).access), url: proxy.url, deadlineMs: 200 });
		proxy.handleWith((response, forward) => (response.req.url === '/ping' ? passThrough(response, forward) : undefined));
		for (let read = 0; read < 4; read += 1)
			await expect(other.read(database, keys.slice(0, 1), noon)).rejects.toMatchObject({ code: slow });
		proxy.newRequests();
		await expect(other.read(database, keys.slice(0, 1), noon)).rejects.toMatchObject({
			code: slow,
			payload: { cause: expect.stringMatching(/^not sent/) },
		});
		expect(proxy.newRequests()).toBe(0);
		proxy.handleWith(passThrough);
		other.close();
	});

	test('takes a server for InfluxDB 1 that does not tell its version', async () => {
		for (const status of [200, 401, 404, 500]) {
			const other = openInfluxqlAt({ ...influxqlOptions(influxqlTarget(server).access), url: proxy.url });
			let asked = 0;
			proxy.handleWith((response, forward) => {
				asked += 1;
				return response.req.url === '/ping'
					? respond(response, { status, headers: {}, body: Buffer.from('') })
					: passThrough(response, forward);
			});
			expect(await other.read(database, keys.slice(0, 2), noon), `${status}`).toEqual(expected.slice(0, 2));
			expect(asked).toBe(2);
			other.close();
		}
		proxy.handleWith(passThrough);
	});

	test('never takes a part of an answer for the whole one, wherever it is cut', async () => {
		let whole: Buffer = Buffer.from('');
		const [key] = keys;
		if (key === undefined) throw new Error('There is a key.');
		proxy.handleWith(respondChanged((body) => (whole = body)));
		await series.read(database, [key], noon);
		for (let length = 0; length < whole.length; length += 1) {
			proxy.handleWith(respondInstead({ body: whole.subarray(0, length) }));
			await expect(series.read(database, [key], noon), `${length}`).rejects.toMatchObject({ code: failed });
		}
		proxy.handleWith(passThrough);
	});

	test('sends one request of known size, and a second one for large integers only', async () => {
		proxy.handleWith(
			respondChanged((body) => {
				answered.push(body.length);
				return body;
			}),
		);
		await series.read(database, keys, noon);
		proxy.newRequests();
		await series.read(database, keys.slice(0, 2), noon);
		expect(proxy.newRequests()).toBe(1);
		await series.read(database, keys, noon);
		expect(proxy.newRequests()).toBe(2);
		await series.readSpans(database, [
			{ topic: 'b', field: 'value', bounds: [noon - hour.ms, noon], aggregates: ['mean', 'count'] },
		]);
		await series.readSamples(database, [{ topic: 'b', field: 'value', from: noon - hour.ms, to: noon, baseFrom: 0 }]);
		expect(proxy.newRequests()).toBe(2);
		proxy.handleWith(passThrough);
		for (const bytes of answered) expect(bytes).toBeLessThan(1000);
	});

	test('never sends names that cannot exist, and a form of more than 4 MB', async () => {
		proxy.newRequests();
		const odd = ['', '_name', 'a\rb', 'a\0b', 'half\ud83d'].map((topic) => newest(topic));
		expect(await series.read(database, odd, noon)).toMatchObject(odd.map(() => ({ times: [], newestAt: null })));
		const many = Array.from({ length: 3000 }, (_, index) => history('t'.repeat(1000), hour, { ms: 60_000 + index }));
		await expect(series.read(database, many, noon)).rejects.toMatchObject({ code: 'too_large' });
		expect(proxy.newRequests()).toBe(0);
	});

	test('refuses a wrong password', async () => {
		const { access } = influxqlTarget(server);
		const other = openInfluxqlAt(influxqlOptions({ ...access, password: 'wrong' }));
		await expect(other.read(database, keys, noon)).rejects.toMatchObject({
			code: failed,
			payload: { cause: expect.stringMatching(/401/) },
		});
		other.close();
	});
});
