import { afterAll, beforeAll, expect, test } from 'vitest';
import { isTypeMessage } from '#adapters/influx/collect.ts';
import { staticSecret } from '#adapters/secret.ts';
import type { SeriesKey, SeriesResult } from '#domain/ports/time-series.ts';
import { history, hour, newest, noon, ns, trailing } from '#test/contract/time-series/feed.ts';
import { describeInflux, influxd, newBucket, openInflux } from '#test/support/servers/influx.ts';
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
import { writeLines } from '#test/support/servers/influxd.ts';
import type { InfluxTimeSeries } from '#test/support/servers/open-influx.ts';

const deadlineMs = 400;
const keys: readonly SeriesKey[] = [newest('a'), history('b', hour, hour), trailing('a', hour, hour)];

/** Sends this response instead of InfluxDB's. */
const respondInstead =
	(fake: { status: number; headers?: Record<string, string>; body?: string }): InfluxProxyAction =>
	(response) =>
		respond(response, {
			status: fake.status,
			headers: { 'content-type': 'application/json; charset=utf-8', ...fake.headers },
			body: Buffer.from(fake.body ?? ''),
		});

/** Sends InfluxDB's response with a change. */
const respondChanged =
	(change: (original: InfluxResponse) => InfluxResponse): InfluxProxyAction =>
	async (response, forward) =>
		respond(response, change(await forward()));

const errorTable = (message: string): string =>
	`\r\n#datatype,string,string\r\n#group,true,true\r\n#default,,\r\n,error,reference\r\n,${message},897\r\n`;
const csv = { 'content-type': 'text/csv; charset=utf-8' };
const appendError = (message: string): InfluxProxyAction =>
	respondChanged((original) => ({ ...original, body: Buffer.concat([original.body, Buffer.from(errorTable(message))]) }));

const rows =
	'#datatype,string,long,dateTime:RFC3339,double,string,string\r\n#default,data0,,,,,\r\n,result,table,_time,_value,_field,_measurement\r\n';
const row = ',,0,2024-03-15T11:59:00Z,5,value,a\r\n';

const json = (message: string): string => JSON.stringify({ code: 'internal error', message });
const failed = 'dependency_failed';
const slow = 'dependency_slow';

describeInflux('createInfluxTimeSeries with faults of InfluxDB', () => {
	let bucket: string;
	let proxy: InfluxProxy;
	let plain: InfluxTimeSeries;
	let zipped: InfluxTimeSeries;
	let expected: readonly SeriesResult[];

	beforeAll(async () => {
		bucket = await newBucket();
		const time = ns('2024-03-15T11:59:00Z');
		await writeLines(influxd(), bucket, `a value=5 ${time}\nb value=7 ${time}\ntext value="x" ${time}`);
		proxy = await openInfluxProxy(influxd().url);
		plain = openInflux({ url: proxy.url, gzip: false, deadlineMs, maxResponseBytes: 1_000_000 });
		zipped = openInflux({ url: proxy.url, gzip: true, deadlineMs });
		// After two reads the types are known, so every response to these keys has the same length.
		await plain.read(bucket, keys, noon);
		await zipped.read(bucket, keys, noon);
		expected = await plain.read(bucket, keys, noon);
		expect(expected.map((result) => 'values' in result && result.values)).toEqual([[5], [7], [5]]);
	});
	afterAll(() => {
		plain.close();
		zipped.close();
		proxy.close();
	});

	/** Expects a failed read with a cause for the log, and a correct read afterwards. */
	const expectFailure = async (action: InfluxProxyAction, code: string, cause: RegExp, series = plain): Promise<void> => {
		proxy.handleWith(action);
		const read = series.read(bucket, keys, noon);
		await expect(read).rejects.toMatchObject({
			code,
			payload: { dependency: 'tsdb', cause: expect.stringMatching(cause) },
		});
		proxy.handleWith(passThrough);
		expect(await series.read(bucket, keys, noon)).toEqual(expected);
	};

	test.each<[string, InfluxProxyAction, string, RegExp]>([
		[
			'401',
			respondInstead({ status: 401, body: JSON.stringify({ code: 'unauthorized', message: 'unauthorized access' }) }),
			failed,
			/401.*unauthorized access/,
		],
		[
			'404 for a missing bucket',
			respondInstead({ status: 404, body: json('could not find bucket') }),
			failed,
			/404.*could not find bucket/,
		],
		[
			'429',
			respondInstead({ status: 429, headers: { 'retry-after': '30' }, body: json('slow down') }),
			failed,
			/429.*Retry-After: 30/,
		],
		['503', respondInstead({ status: 503, headers: { 'retry-after': '7' }, body: json('busy') }), failed, /503.*Retry-After: 7/],
		['500 without a body', respondInstead({ status: 500 }), failed, /500/],
		['a redirect', respondInstead({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }), failed, /302/],
		['a connection closed before the response', resetConnection, failed, /hang up|ECONNRESET/],
		['a connection reset in the middle of the response', resetHalfway, failed, /abort|ECONNRESET/i],
		['a response that stops in the middle', stopHalfway, slow, /deadline/],
		['an error table after rows', appendError('engine: cursor failed'), failed, /cursor failed/],
		[
			'an error table about types, also on the second request',
			appendError('schema collision: cannot group'),
			failed,
			/schema collision/,
		],
		['an error table without rows', respondInstead({ status: 200, headers: csv, body: errorTable('no').slice(2) }), failed, /no/],
		[
			'another content type',
			respondChanged((original) => ({ ...original, headers: { 'content-type': 'text/html' } })),
			failed,
			/content type text\/html/,
		],
		['no content type', respondChanged((original) => ({ ...original, headers: {} })), failed, /content type none/],
		['an empty response', respondInstead({ status: 200, headers: csv }), failed, /cut short: 0 of/],
		[
			'a result that was not requested',
			respondChanged((original) => ({ ...original, body: Buffer.from(original.body.toString().replaceAll('data0', 'other')) })),
			failed,
			/not requested/,
		],
		[
			'a series that was not requested',
			respondChanged((original) => ({ ...original, body: Buffer.from(original.body.toString().replaceAll(',a\r\n', ',z\r\n')) })),
			failed,
			/not requested/,
		],
		[
			'a value that is not a number',
			respondChanged((original) => ({ ...original, body: Buffer.from(original.body.toString().replaceAll(',5,', ',five,')) })),
			failed,
			/not a number/,
		],
		[
			'a response sent twice',
			respondChanged((original) => ({ ...original, body: Buffer.concat([original.body, original.body]) })),
			failed,
			/after the last/,
		],
		['an endless line', respondEndlessly(csv, 'x'.repeat(10_000)), failed, /bytes|no end/],
		['endless rows', respondEndlessly(csv, rows + row.repeat(1000)), failed, /more than 1000000 bytes/],
		['a response after the deadline', neverRespond, slow, /deadline/],
	])('fails on %s', (_, action, code, cause) => expectFailure(action, code, cause));

	test('detects a response that ends cleanly at any byte, plain or gzipped', async () => {
		for (const series of [plain, zipped]) {
			let whole: InfluxResponse | undefined;
			proxy.handleWith(async (response, forward) => {
				whole = await forward();
				respond(response, whole);
			});
			expect(await series.read(bucket, keys, noon)).toEqual(expected);
			if (whole === undefined) throw new Error('No request was sent.');
			const { body, ...head } = whole;
			expect(head.headers['content-encoding']).toBe(series === zipped ? 'gzip' : undefined);
			for (let cut = 0; cut < body.length; cut += 1) {
				proxy.handleWith((response) => respond(response, { ...head, body: body.subarray(0, cut) }));
				const outcome = await series.read(bucket, keys, noon).catch((error: unknown) => error);
				// A cut after the last sentinel loses nothing, so the result is complete.
				if (Array.isArray(outcome)) expect({ cut, outcome }).toEqual({ cut, outcome: expected });
				else expect(outcome).toMatchObject({ code: failed, payload: { dependency: 'tsdb' } });
				if (body.length - cut > 40) expect(outcome, `${cut} of ${body.length}`).toBeInstanceOf(Error);
			}
			expect(body.length).toBeGreaterThan(200);
			proxy.handleWith(passThrough);
			expect(await series.read(bucket, keys, noon)).toEqual(expected);
		}
	}, 120_000);

	test.each([
		['a connection reset in the middle of the response', resetHalfway, failed, /abort|ECONNRESET/i],
		['a response that stops in the middle', stopHalfway, slow, /deadline/],
	])('fails on %s, gzipped', (_, action, code, cause) => expectFailure(action, code, cause, zipped));

	test('fails when the connection is refused', async () => {
		const closed = await openInfluxProxy(influxd().url);
		closed.close();
		const series = openInflux({ url: closed.url });
		await expect(series.read(bucket, keys, noon)).rejects.toMatchObject({
			code: failed,
			payload: { cause: expect.stringMatching(/ECONNREFUSED/) },
		});
		series.close();
	});

	test('repeats a request when the connection closed before the response, and not when it closed later', async () => {
		let first = true;
		proxy.newRequests();
		proxy.handleWith((response, forward) => {
			const action = first ? resetConnection : passThrough;
			first = false;
			return action(response, forward);
		});
		expect(await plain.read(bucket, keys, noon)).toEqual(expected);
		expect(proxy.newRequests()).toBe(2);
		await expectFailure(resetHalfway, failed, /abort|ECONNRESET/i);
		expect(proxy.newRequests()).toBe(2);
	});

	test('fails on a wrong token and on a missing bucket of a real server', async () => {
		const unauthorized = openInflux({ token: staticSecret('other') });
		await expect(unauthorized.read(bucket, keys, noon)).rejects.toMatchObject({
			code: failed,
			payload: { cause: expect.stringMatching(/401/) },
		});
		unauthorized.close();
		await expect(plain.read('absent', keys, noon)).rejects.toMatchObject({
			code: failed,
			payload: { cause: expect.stringMatching(/404.*bucket/) },
		});
	});

	test("recognizes the server's own messages about types", async () => {
		const queryError = async (pipe: string): Promise<string> => {
			const { url, org, token } = influxd();
			const response = await fetch(`${url}/api/v2/query?org=${org}`, {
				method: 'POST',
				headers: { authorization: `Token ${token}`, 'content-type': 'application/vnd.flux' },
				body: `from(bucket: "${bucket}") |> range(start: 2024-03-15T00:00:00Z, stop: 2024-03-16T00:00:00Z) |> ${pipe}`,
			});
			expect(response.status).toBe(400);
			return response.text();
		};
		const text = 'filter(fn: (r) => r._measurement == "text")';
		for (const pipe of [
			`${text} |> aggregateWindow(every: 1h, fn: mean)`,
			`${text} |> toFloat()`,
			'filter(fn: (r) => r._field == "value") |> last() |> keep(columns: ["_value"])',
		])
			expect(isTypeMessage(await queryError(pipe)), pipe).toBe(true);
		expect(isTypeMessage(await queryError('nonsense('))).toBe(false);
	});
});
