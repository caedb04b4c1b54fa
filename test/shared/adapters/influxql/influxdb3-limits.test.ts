import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { staticSecret } from '#adapters/secret.ts';
import type { SampleKey } from '#domain/ports/sample-reader.ts';
import { listen } from '#test/support/servers/http-server.ts';
import { type InfluxTimeSeries, openInfluxqlAt } from '#test/support/servers/open-influx.ts';

const maxResponseBytes = 10_000;
const key: SampleKey = { topic: 'a', field: 'value', from: 0, to: 1000 };
/** An answer without rows, of some bytes. */
const answerOf = (bytes: number): string => '[]'.padEnd(bytes, ' ');

describe('the limits of reads from InfluxDB 3', () => {
	let server: Awaited<ReturnType<typeof listen>>;
	let series: InfluxTimeSeries;
	let version: string;
	let bytes: number;

	beforeEach(async () => {
		version = '3.6.0';
		bytes = 2;
		server = await listen((request, response) => {
			if (request.url === '/ping') response.writeHead(204, { 'x-influxdb-version': version }).end();
			else if (version.startsWith('3.')) response.writeHead(200, { 'content-type': 'application/json' }).end(answerOf(bytes));
			else response.writeHead(401).end();
		});
		const options = { url: server.url, user: 'any', token: staticSecret('token'), topicColumn: '_measurement' };
		series = openInfluxqlAt({ ...options, maxResponseBytes });
	});
	afterEach(() => {
		series.close();
		server.close();
	});

	test('a read has at most 250,000 samples once a count has shown that the server is one', async () => {
		expect(series.maxSamples?.('d')).toBe(Number.POSITIVE_INFINITY);
		expect(await series.countSamples('plant', [key])).toEqual([0]);
		expect(series.maxSamples?.('d')).toBe(250_000);
	});

	test('InfluxDB 1 has no limit of its own', async () => {
		version = '1.8.10';
		await expect(series.countSamples('plant', [key])).rejects.toMatchObject({ code: 'dependency_failed' });
		expect(series.maxSamples?.('d')).toBe(Number.POSITIVE_INFINITY);
	});

	test('all answers of a read share one budget of bytes, and each read has its own', async () => {
		// Numbers, truth values and texts are three requests.
		bytes = Math.floor(maxResponseBytes / 3);
		for (const _ of [1, 2]) expect(await series.readSamples('plant', [key])).toEqual([[]]);
		bytes += 1;
		await expect(series.readSamples('plant', [key])).rejects.toMatchObject({
			code: 'dependency_failed',
			payload: { cause: 'responses of more than 10000 bytes', remedy: 'ask for less time or fewer variables' },
		});
	});
});
