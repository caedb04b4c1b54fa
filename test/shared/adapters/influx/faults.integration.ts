import { afterAll, beforeAll, expect, test } from 'vitest';
import { isTypeMessage } from '#adapters/influx/collect.ts';
import type { InfluxTimeSeries } from '#adapters/influx/influx-time-series.ts';
import { staticSecret } from '#adapters/secret.ts';
import type { SeriesKey, SeriesResult } from '#domain/ports/time-series.ts';
import { history, hour, newest, noon, ns, trailing } from '#test/contract/time-series/feed.ts';
import { describeInflux, influxd, newBucket, openInflux } from '#test/support/servers/influx.ts';
import { type Answer, type Fate, give, honest, type InfluxProxy, openInfluxProxy } from '#test/support/servers/influx-proxy.ts';
import { writeLines } from '#test/support/servers/influxd.ts';

const deadlineMs = 400;
const keys: readonly SeriesKey[] = [newest('a'), history('b', hour, hour), trailing('a', hour, hour)];

/** An answer in place of InfluxDB's. */
const instead =
	(answer: { status: number; headers?: Record<string, string>; body?: string }): Fate =>
	(response) =>
		give(response, {
			status: answer.status,
			headers: { 'content-type': 'application/json; charset=utf-8', ...answer.headers },
			body: Buffer.from(answer.body ?? ''),
		});

/** InfluxDB's answer, changed. */
const changed =
	(change: (answer: Answer) => Answer): Fate =>
	async (response, forward) =>
		give(response, change(await forward()));

const errorTable = (message: string): string =>
	`\r\n#datatype,string,string\r\n#group,true,true\r\n#default,,\r\n,error,reference\r\n,${message},897\r\n`;
const csv = { 'content-type': 'text/csv; charset=utf-8' };
const withError = (message: string): Fate =>
	changed((answer) => ({ ...answer, body: Buffer.concat([answer.body, Buffer.from(errorTable(message))]) }));

const hangs: Fate = () => undefined;
const resets: Fate = (response) => {
	response.socket?.destroy();
};
const resetsInTheMiddle: Fate = async (response, forward) => {
	const { status, headers, body } = await forward();
	response.writeHead(status, headers);
	response.write(body.subarray(0, body.length / 2), () => setTimeout(() => response.socket?.destroy(), 20));
};
const stopsInTheMiddle: Fate = async (response, forward) => {
	const { status, headers, body } = await forward();
	response.writeHead(status, headers);
	response.write(body.subarray(0, body.length / 2));
};
const endless =
	(text: string): Fate =>
	(response) => {
		response.writeHead(200, csv);
		const more = (): void => {
			while (!response.destroyed && response.write(text));
			if (!response.destroyed) response.once('drain', more);
		};
		more();
	};
const rows =
	'#datatype,string,long,dateTime:RFC3339,double,string,string\r\n#default,data0,,,,,\r\n,result,table,_time,_value,_field,_measurement\r\n';
const row = ',,0,2024-03-15T11:59:00Z,5,value,a\r\n';

const json = (message: string): string => JSON.stringify({ code: 'internal error', message });
const failed = 'dependency_failed';
const slow = 'dependency_slow';

describeInflux('faults', () => {
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
		plain = openInflux({ url: proxy.url, gzip: false, deadlineMs, maxAnswerBytes: 1_000_000 });
		zipped = openInflux({ url: proxy.url, gzip: true, deadlineMs });
		// Twice: the types are known then, and every answer to these keys has the same length.
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

	/** Meets a fate; it becomes the fault, with a cause for the log, and the next poll is right. */
	const becomes = async (fate: Fate, code: string, cause: RegExp, series = plain): Promise<void> => {
		proxy.meet(fate);
		const answer = series.read(bucket, keys, noon);
		await expect(answer).rejects.toMatchObject({
			code,
			payload: { dependency: 'tsdb', cause: expect.stringMatching(cause) },
		});
		proxy.meet(honest);
		expect(await series.read(bucket, keys, noon)).toEqual(expected);
	};

	test.each<[string, Fate, string, RegExp]>([
		[
			'401',
			instead({ status: 401, body: JSON.stringify({ code: 'unauthorized', message: 'unauthorized access' }) }),
			failed,
			/401.*unauthorized access/,
		],
		['404, no such bucket', instead({ status: 404, body: json('could not find bucket') }), failed, /404.*could not find bucket/],
		['429', instead({ status: 429, headers: { 'retry-after': '30' }, body: json('slow down') }), failed, /429.*Retry-After: 30/],
		['503', instead({ status: 503, headers: { 'retry-after': '7' }, body: json('busy') }), failed, /503.*Retry-After: 7/],
		['500 without a body', instead({ status: 500 }), failed, /500/],
		['a redirect', instead({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }), failed, /302/],
		['a connection closed before anything came', resets, failed, /hang up|ECONNRESET/],
		['a reset in the middle', resetsInTheMiddle, failed, /abort|ECONNRESET/i],
		['an answer that stops in the middle', stopsInTheMiddle, slow, /deadline/],
		['an error table after rows', withError('engine: cursor failed'), failed, /cursor failed/],
		['an error table about types, twice', withError('schema collision: cannot group'), failed, /schema collision/],
		['an error table alone', instead({ status: 200, headers: csv, body: errorTable('no').slice(2) }), failed, /no/],
		[
			'another content type',
			changed((answer) => ({ ...answer, headers: { 'content-type': 'text/html' } })),
			failed,
			/content type text\/html/,
		],
		['no content type', changed((answer) => ({ ...answer, headers: {} })), failed, /content type none/],
		['an empty answer', instead({ status: 200, headers: csv }), failed, /cut short: 0 of/],
		[
			'an answer to something else',
			changed((answer) => ({ ...answer, body: Buffer.from(answer.body.toString().replaceAll('data0', 'other')) })),
			failed,
			/not asked for/,
		],
		[
			'a series that was not asked for',
			changed((answer) => ({ ...answer, body: Buffer.from(answer.body.toString().replaceAll(',a\r\n', ',z\r\n')) })),
			failed,
			/not asked for/,
		],
		[
			'a value that is no number',
			changed((answer) => ({ ...answer, body: Buffer.from(answer.body.toString().replaceAll(',5,', ',five,')) })),
			failed,
			/not a number/,
		],
		[
			'an answer twice',
			changed((answer) => ({ ...answer, body: Buffer.concat([answer.body, answer.body]) })),
			failed,
			/after the last/,
		],
		['an endless line', endless('x'.repeat(10_000)), failed, /bytes|no end/],
		['endless rows', endless(rows + row.repeat(1000)), failed, /more than 1000000 bytes/],
		['an answer slower than the deadline', hangs, slow, /deadline/],
	])('%s', (_, fate, code, cause) => becomes(fate, code, cause));

	test('a clean end at every byte, of a plain and of a gzipped answer', async () => {
		for (const series of [plain, zipped]) {
			let whole: Answer | undefined;
			proxy.meet(async (response, forward) => {
				whole = await forward();
				give(response, whole);
			});
			expect(await series.read(bucket, keys, noon)).toEqual(expected);
			if (whole === undefined) throw new Error('Nothing was asked.');
			const { body, ...head } = whole;
			expect(head.headers['content-encoding']).toBe(series === zipped ? 'gzip' : undefined);
			for (let cut = 0; cut < body.length; cut += 1) {
				proxy.meet((response) => give(response, { ...head, body: body.subarray(0, cut) }));
				const outcome = await series.read(bucket, keys, noon).catch((error: unknown) => error);
				// A cut behind the last sentinel takes nothing away: then it is the whole answer, to the last number.
				if (Array.isArray(outcome)) expect({ cut, outcome }).toEqual({ cut, outcome: expected });
				else expect(outcome).toMatchObject({ code: failed, payload: { dependency: 'tsdb' } });
				if (body.length - cut > 40) expect(outcome, `${cut} of ${body.length}`).toBeInstanceOf(Error);
			}
			expect(body.length).toBeGreaterThan(200);
			proxy.meet(honest);
			expect(await series.read(bucket, keys, noon)).toEqual(expected);
		}
	}, 120_000);

	test.each([
		['a reset in the middle', resetsInTheMiddle, failed, /abort|ECONNRESET/i],
		['an answer that stops in the middle', stopsInTheMiddle, slow, /deadline/],
	])('%s, gzipped', (_, fate, code, cause) => becomes(fate, code, cause, zipped));

	test('a refused connection', async () => {
		const closed = await openInfluxProxy(influxd().url);
		closed.close();
		const series = openInflux({ url: closed.url });
		await expect(series.read(bucket, keys, noon)).rejects.toMatchObject({
			code: failed,
			payload: { cause: expect.stringMatching(/ECONNREFUSED/) },
		});
		series.close();
	});

	test('one connection that closed before anything came is not noticed; one that closed later is not asked again', async () => {
		let first = true;
		proxy.count();
		proxy.meet((response, forward) => {
			const fate = first ? resets : honest;
			first = false;
			return fate(response, forward);
		});
		expect(await plain.read(bucket, keys, noon)).toEqual(expected);
		expect(proxy.count()).toBe(2);
		await becomes(resetsInTheMiddle, failed, /abort|ECONNRESET/i);
		expect(proxy.count()).toBe(2);
	});

	test('a wrong token, and a bucket that is not there, on the server itself', async () => {
		const stranger = openInflux({ token: staticSecret('other') });
		await expect(stranger.read(bucket, keys, noon)).rejects.toMatchObject({
			code: failed,
			payload: { cause: expect.stringMatching(/401/) },
		});
		stranger.close();
		await expect(plain.read('absent', keys, noon)).rejects.toMatchObject({
			code: failed,
			payload: { cause: expect.stringMatching(/404.*bucket/) },
		});
	});

	test("the server's own words for types are known as such", async () => {
		const ask = async (pipe: string): Promise<string> => {
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
			expect(isTypeMessage(await ask(pipe)), pipe).toBe(true);
		expect(isTypeMessage(await ask('nonsense('))).toBe(false);
	});
});
