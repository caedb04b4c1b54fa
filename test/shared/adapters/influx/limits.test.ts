import { afterEach, beforeEach, expect, test } from 'vitest';
import { staticSecret } from '#adapters/secret.ts';
import { history, hour, newest, noon } from '#test/contract/time-series/feed.ts';
import { listen } from '#test/support/servers/http-server.ts';
import { type InfluxTimeSeries, openInfluxAt } from '#test/support/servers/open-influx.ts';

/** Requests that an InfluxDB received which never answers. */
let requests: number;
let server: Awaited<ReturnType<typeof listen>>;
let series: InfluxTimeSeries;
beforeEach(async () => {
	requests = 0;
	server = await listen(() => {
		requests += 1;
	});
	series = openInfluxAt({
		url: server.url,
		token: staticSecret('token'),
		org: 'utility',
		topicColumn: '_measurement',
		deadlineMs: 20_000,
		timeLeftMs: () => 200,
	});
});
afterEach(() => {
	series.close();
	server.close();
});

test('a read ends when the time of its request is over, before its own deadline', async () => {
	const startedAt = performance.now();
	await expect(series.read('plant', [newest('tank')], noon)).rejects.toMatchObject({ code: 'dependency_slow' });
	expect(performance.now() - startedAt).toBeLessThan(10_000);
	expect(requests).toBe(1);
});

test('a script of more than 4 MB is never sent', async () => {
	// Each period needs a stream of its own.
	const keys = Array.from({ length: 5000 }, (_, index) => history('t'.repeat(1000), hour, { ms: 60_000 + index }));
	await expect(series.read('plant', keys, noon)).rejects.toMatchObject({
		code: 'too_large',
		payload: { field: 'request', counted: 'bytes_of_query', limit: 4_000_000 },
	});
	expect(requests).toBe(0);
});
