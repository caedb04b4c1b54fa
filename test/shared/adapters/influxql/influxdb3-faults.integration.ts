import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { staticSecret } from '#adapters/secret.ts';
import type { SeriesKey, SeriesResult } from '#domain/ports/time-series.ts';
import { toErrorResponse } from '#shared/http/error-response.ts';
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
import { influxdb3Token, startInfluxdb3 } from '#test/support/servers/influxdb3.ts';
import { influxqlOptions, influxqlTarget } from '#test/support/servers/influxql.ts';
import { type InfluxTimeSeries, openInfluxqlAt } from '#test/support/servers/open-influx.ts';

const server = 'influxd1';
const database = 'faults_3';
const [hourly, tiny] = [history('b', hour, hour), newest('a')];
const keys: readonly SeriesKey[] = [tiny, hourly, newest('huge'), history('vast', hour, hour)];
const [failed, slow] = ['dependency_failed', 'dependency_slow'] as const;
const json = { 'content-type': 'application/json' };
/** The message of InfluxDB 3.0, and that of later releases. */
const fileLimits = [
	'query error: error while planning query: External error: Query would exceed file limit of 432 parquet files. Please specify a smaller time range for your query.',
	'query error: error while planning query: External error: Query would scan 4320 Parquet files, exceeding the file limit. InfluxDB 3 Core caps file access.',
];

const respondInstead =
	(fake: Partial<InfluxResponse>): InfluxProxyAction =>
	(response) =>
		respond(response, { status: 200, headers: json, body: Buffer.from(''), ...fake });
const respondChanged =
	(change: (body: string) => string): InfluxProxyAction =>
	async (response, forward) => {
		const original = await forward();
		respond(response, { ...original, body: Buffer.from(change(original.body.toString())) });
	};

describe.skipIf(inject(server) === null)('InfluxQL with faults of a stand-in for InfluxDB 3', () => {
	let standIn: Awaited<ReturnType<typeof startInfluxdb3>>;
	let proxy: InfluxProxy;
	let series: InfluxTimeSeries;
	let expected: readonly SeriesResult[];
	const open = (token = influxdb3Token, url = proxy.url) =>
		openInfluxqlAt({
			...{ url, user: 'any', token: staticSecret(token), topicColumn: '_measurement' },
			...{ gzip: false, deadlineMs: 1000, maxResponseBytes: 1_000_000 },
		});

	beforeAll(async () => {
		const { access, databases } = influxqlTarget(server);
		await databases.create(database);
		const time = ns('2024-03-15T11:59:00Z');
		const lines = [`a value=5 ${time}`, `b value=7i ${time}`, `huge value=9007199254740993i ${time}`];
		await databases.write(database, [...lines, `vast value=1.7e308 ${time}`, `vast value=1.7e308 ${time + 1n}`].join('\n'));
		standIn = await startInfluxdb3(access);
		proxy = await openInfluxProxy(standIn.url);
		series = open();
		expected = await series.read(database, keys, noon);
		expect(expected.map((result) => 'values' in result && [...result.values, ...result.faults.values()])).toEqual([
			[5],
			[7],
			[null, 'precision'],
			[null, 'precision'],
		]);
	});
	afterAll(async () => {
		series.close();
		proxy.close();
		standIn.close();
		await influxqlTarget(server).databases.delete(database);
	});

	test.each<[string, InfluxProxyAction, string, RegExp]>([
		['401', respondInstead({ status: 401, headers: {} }), failed, /401/],
		['404', respondInstead({ status: 404, headers: {}, body: Buffer.from('not found') }), failed, /404/],
		['503', respondInstead({ status: 503, headers: { 'retry-after': '7' } }), failed, /503.*Retry-After: 7/],
		['500 without a body', respondInstead({ status: 500, headers: {} }), failed, /500/],
		['a redirect', respondInstead({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }), failed, /302/],
		['another content type', respondInstead({ headers: { 'content-type': 'application/jsonl' } }), failed, /content type/],
		['no content type', respondInstead({ headers: {}, body: Buffer.from('[]') }), failed, /content type none/],
		['no answer', neverRespond, slow, /deadline/],
		['a connection closed before the answer', resetConnection, failed, /hang up|ECONNRESET/],
		['a connection reset in the middle of the answer', resetHalfway, failed, /abort|ECONNRESET/i],
		['an answer that stops in the middle', stopHalfway, slow, /deadline/],
		['an endless answer', respondEndlessly(json, '[{"a":1},'.repeat(1000)), failed, /more than 1000000 bytes/],
		['an empty answer', respondInstead({}), failed, /cut short/],
		[
			'lines instead of an array',
			respondChanged((body) => body.slice(1, -1).replaceAll('},{', '}\n{')),
			failed,
			/JSON|cut short/,
		],
		['an answer that is cut between two rows', respondChanged((body) => body.replace(/\]$/, '')), failed, /cut short/],
		['an answer sent twice', respondChanged((body) => body + body), failed, /JSON has something else/],
		['an error page', respondInstead({ body: Buffer.from('<html>') }), failed, /JSON has something else/],
		['an error with status 200', respondInstead({ body: Buffer.from('{"error":"no"}') }), failed, /JSON has something else/],
		['a series that was not requested', respondChanged((body) => body.replaceAll('"b"', '"z"')), failed, /not requested/],
		[
			'a row without its series',
			respondChanged((body) => body.replaceAll('"iox::measurement"', '"m"')),
			failed,
			/no measurement/,
		],
		['a row without a time', respondChanged((body) => body.replaceAll('"time":"', '"time":"x')), failed, /no time/],
		['a column twice', respondChanged((body) => body.replaceAll('"time"', '"iox::measurement"')), failed, /Two columns/],
	])('fails on %s, and reads afterwards', async (_, action, code, cause) => {
		proxy.handleWith((response, forward) => (response.req.url === '/ping' ? passThrough : action)(response, forward));
		await expect(series.read(database, keys, noon)).rejects.toMatchObject({
			code,
			payload: { dependency: 'tsdb', cause: expect.stringMatching(cause) },
		});
		proxy.handleWith(passThrough);
		expect(await series.read(database, keys, noon)).toEqual(expected);
	});

	test('never takes a part of an answer for the whole one, wherever it is cut', async () => {
		let longest = 0;
		for (let cut = 1; cut <= Math.max(longest, 1); cut += 1) {
			proxy.handleWith(
				respondChanged((body) => {
					if (!body.startsWith('[')) return body;
					longest = Math.max(longest, body.length);
					return body.slice(0, -cut);
				}),
			);
			await expect(series.read(database, [hourly], noon), `${cut}`).rejects.toMatchObject({ code: failed });
		}
		expect(longest).toBeGreaterThan(80);
		proxy.handleWith(passThrough);
	});

	test.each(fileLimits)('tells what to do about the limit of files: %s', async (message) => {
		proxy.handleWith((response, forward) =>
			response.req.url === '/ping'
				? passThrough(response, forward)
				: respond(response, { status: 500, headers: {}, body: Buffer.from(message) }),
		);
		const error = await series.read(database, keys, noon).catch((reason: unknown) => reason);
		proxy.handleWith(passThrough);
		expect(error).toMatchObject({ code: failed, payload: { cause: expect.stringContaining('arquet files') } });
		const { status, body } = toErrorResponse(error, 'request');
		expect([status, JSON.stringify(body)]).toEqual([
			502,
			expect.stringContaining('failed: ask for less time, or let the operator raise query-file-limit of InfluxDB.'),
		]);
	});

	test('fails on a database that does not exist, and on a wrong token', async () => {
		await expect(series.read('absent', keys, noon)).rejects.toMatchObject({
			code: failed,
			payload: { cause: expect.stringMatching(/404/) },
		});
		const other = open('wrong');
		await expect(other.read(database, keys, noon)).rejects.toMatchObject({
			code: failed,
			payload: { cause: expect.stringMatching(/401/) },
		});
		other.close();
	});

	test('finds out that a server became InfluxDB 3, and that it was one', async () => {
		const { access } = influxqlTarget(server);
		let target = access.url;
		const front = await openInfluxProxy(standIn.url);
		const replaced = openInfluxqlAt({ ...influxqlOptions({ ...access, password: influxdb3Token }), url: front.url });
		front.handleWith((response, forward) =>
			target === standIn.url
				? passThrough(response, forward)
				: respond(response, { status: 404, headers: {}, body: Buffer.from('') }),
		);
		await expect(replaced.read(database, keys, noon)).rejects.toMatchObject({ code: failed });
		target = standIn.url;
		expect(await replaced.read(database, keys, noon)).toEqual(expected);
		replaced.close();
		front.close();
	});

	test('sends one statement a request, at most eight at once, and asks for the version once', async () => {
		await series.read(database, [tiny], noon);
		standIn.newRequests();
		proxy.newExchanges();
		await series.read(database, [tiny], noon);
		const where = 'FROM "a" WHERE time >= 1710500400000ms AND time < 1710504000000ms GROUP BY *';
		expect(standIn.newRequests().map((body) => JSON.parse(body))).toEqual(
			['float', 'boolean', 'string'].map((cast) => ({
				...{ db: database, format: 'json' },
				q: `SELECT last("value"::${cast}) AS "caudal=0" ${where}`,
			})),
		);
		expect(proxy.newExchanges().map(({ path, sent, answered }) => [path, sent, answered])).toEqual(
			[0, 0, 0].map(() => ['/api/v3/query_influxql', expect.any(Number), expect.any(Number)]),
		);
		let [running, most] = [0, 0];
		proxy.handleWith(async (response, forward) => {
			running += 1;
			most = Math.max(most, running);
			await passThrough(response, forward);
			running -= 1;
		});
		// Each field is a group of its own.
		const many = Array.from({ length: 20 }, (_, index) => ({ ...tiny, field: `f${index}` }));
		await series.read(database, many, noon);
		expect([standIn.newRequests().length, most]).toEqual([60, 8]);
		proxy.handleWith(passThrough);
	});
});
