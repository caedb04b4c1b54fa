import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { SeriesKey, SeriesResult } from '#domain/ports/time-series.ts';
import { history, hour, newest, noon, ns } from '#test/contract/time-series/feed.ts';
import {
	type InfluxProxy,
	type InfluxProxyAction,
	type InfluxResponse,
	openInfluxProxy,
	passThrough,
	respond,
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
		series = openInfluxqlAt({ ...influxqlOptions(access), url: proxy.url, gzip: false, deadlineMs: 1000 });
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
		['no answer', () => undefined, slow, /deadline/],
		['a connection closed before the answer', (response) => void response.socket?.destroy(), failed, /hang up|ECONNRESET/],
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
