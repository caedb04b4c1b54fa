import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import { history, hour, minute, newest, noon, ns } from '#test/contract/time-series/feed.ts';
import { describeInflux, influxd, newBucket, openInflux } from '#test/support/servers/influx.ts';
import { type InfluxProxy, type InfluxProxyAction, openInfluxProxy, passThrough } from '#test/support/servers/influx-proxy.ts';
import { writeLines } from '#test/support/servers/influxd.ts';
import type { InfluxTimeSeries } from '#test/support/servers/open-influx.ts';

const neverRespond: InfluxProxyAction = () => undefined;
const slow = { code: 'dependency_slow', payload: { dependency: 'tsdb', cause: expect.stringContaining('deadline') } };

describeInflux('the connection to InfluxDB', () => {
	const clock = { ms: noon };
	let bucket: string;
	let proxy: InfluxProxy;
	let series: InfluxTimeSeries;

	beforeAll(async () => {
		bucket = await newBucket();
		await writeLines(influxd(), bucket, `a value=5 ${ns(noon - 60_000)}`);
		proxy = await openInfluxProxy(influxd().url);
		series = openInflux({ url: proxy.url, deadlineMs: 4000, now: () => clock.ms });
	});
	afterEach(() => proxy.handleWith(passThrough));
	afterAll(() => {
		series.close();
		proxy.close();
	});

	const valuesOf = async (...keys: readonly SeriesKey[]) =>
		(await series.read(bucket, keys, noon)).map((result) => 'values' in result && result.values);
	const newestValues = () => valuesOf(newest('a'));
	const histories = () => valuesOf(history('a', hour, minute));

	test('reads newest values after three idle connections were reset', async () => {
		const old = new Set<unknown>();
		proxy.handleWith((response, forward) => {
			old.add(response.socket);
			return passThrough(response, forward);
		});
		expect(await Promise.all([newestValues(), newestValues(), histories()])).toEqual([[[5]], [[5]], [[5]]]);
		expect(old.size).toBe(3);
		proxy.newRequests();
		proxy.handleWith(async (response, forward) => {
			if (old.has(response.socket)) response.socket?.resetAndDestroy();
			else await passThrough(response, forward);
		});
		expect(await newestValues()).toEqual([[5]]);
		expect(proxy.newRequests()).toBe(2);
	});

	test('reads newest values while a history is too slow', async () => {
		let isFirst = true;
		proxy.handleWith((response, forward) => {
			const action = isFirst ? neverRespond : passThrough;
			isFirst = false;
			return action(response, forward);
		});
		const tooSlow = expect(histories()).rejects.toMatchObject({ ...slow, payload: { remedy: expect.stringContaining('less') } });
		for (let poll = 0; poll < 5; poll += 1) expect(await newestValues()).toEqual([[5]]);
		await tooSlow;
		expect(await newestValues()).toEqual([[5]]);
	});

	test('refuses reads after three without an answer, and reads again after one short read was answered', async () => {
		proxy.handleWith(neverRespond);
		for (const outcome of await Promise.allSettled([newestValues(), newestValues(), newestValues()]))
			expect(outcome).toMatchObject({ status: 'rejected', reason: slow });
		proxy.handleWith(passThrough);
		proxy.newRequests();
		const refused = { code: 'dependency_slow', payload: { retryAfterMs: 2000 } };
		await expect(newestValues()).rejects.toMatchObject(refused);
		await expect(histories()).rejects.toMatchObject(refused);
		expect(proxy.newRequests()).toBe(0);
		clock.ms += 2000;
		await expect(histories()).rejects.toMatchObject(refused);
		expect(await newestValues()).toEqual([[5]]);
		expect(await histories()).toEqual([[5]]);
	});
});
