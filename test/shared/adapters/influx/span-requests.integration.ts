import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SpanAggregate, SpanKey } from '#domain/ports/span-reader.ts';
import { readableSpan, span } from '#test/contract/span-reader/span-feed.ts';
import { at, day, hour, noon, ns } from '#test/contract/time-series/feed.ts';
import { describeInflux, influxd, newBucket, openInflux } from '#test/support/servers/influx.ts';
import { type InfluxProxy, openInfluxProxy } from '#test/support/servers/influx-proxy.ts';
import { writeLines } from '#test/support/servers/influxd.ts';
import type { InfluxTimeSeries } from '#test/support/servers/open-influx.ts';

const bounds = [noon - 2 * hour.ms, noon - hour.ms, noon];
const aggregates: readonly SpanAggregate[] = ['mean', 'min', 'max', 'count'];
const floats = Array.from({ length: 39 }, (_, index) => `float/${index}`);

describeInflux('requests of createInfluxSpanReader', () => {
	let bucket: string;
	let proxy: InfluxProxy;
	const opened: InfluxTimeSeries[] = [];
	const open = (): InfluxTimeSeries => {
		const series = openInflux({ url: proxy.url });
		opened.push(series);
		return series;
	};
	const write = (lines: readonly string[]) => writeLines(influxd(), bucket, lines.join('\n'));
	/** Reads keys and expects a number of requests. */
	const readWith = async (requests: number, series: InfluxTimeSeries, keys: readonly SpanKey[]) => {
		proxy.newRequests();
		const results = await series.readSpans(bucket, keys);
		expect(proxy.newRequests()).toBe(requests);
		return results.map(readableSpan);
	};

	beforeAll(async () => {
		bucket = await newBucket();
		proxy = await openInfluxProxy(influxd().url);
		const time = ns(noon - 60_000);
		await write(floats.map((topic) => `${topic} value=1.5 ${time}`));
		await write([`flag value=true ${time}`, `count value=3i ${time}`, `words value="a" ${time}`]);
	});
	afterAll(() => {
		for (const series of opened) series.close();
		proxy.close();
	});

	test('are none for no series, and one for floats, before their types are known and after', async () => {
		const series = open();
		expect(await readWith(0, series, [])).toEqual([]);
		const keys = floats.map((topic) => span(topic, bounds, aggregates));
		for (const _ of ['types unknown', 'types known'])
			for (const result of await readWith(1, series, keys))
				expect(result).toMatchObject({ mean: [null, 1.5], min: [null, 1.5], max: [null, 1.5], count: [0, 1] });
	});

	test.each([
		['flag', 3, { mean: [null, 1], min: [null, 1], max: [null, 1], count: [0, 1] }],
		['count', 2, { mean: [null, 3], min: [null, 3], max: [null, 3], count: [0, 1] }],
		['words', 3, { fault: 'not_numeric' }],
	])('with 39 floats and %s are %d, then 1', async (topic, requests, expected) => {
		const series = open();
		const keys = [...floats, topic].map((each) => span(each, bounds, aggregates));
		for (const count of [requests, 1]) {
			const results = await readWith(count, series, keys);
			expect(results[39]).toMatchObject(expected);
			for (const result of results.slice(0, 39)) expect(result).toMatchObject({ mean: [null, 1.5] });
		}
	});

	test('of slots alone are 2, then 1, and tell the types', async () => {
		const series = open();
		const keys = ['float/0', 'flag', 'count', 'words'].map((topic) => span(topic, bounds, ['slots'], 60_000));
		// Booleans and integers were read as floats at first.
		for (const requests of [2, 1])
			expect(await readWith(requests, series, [...keys, span('float/0', bounds, ['slots'], hour.ms)])).toMatchObject([
				{ slots: [0, 1] },
				{ slots: [0, 1] },
				{ slots: [0, 1] },
				{ fault: 'not_numeric' },
				{ slots: [0, 1] },
			]);
	});

	test('see a type that differs only in a run in the middle, and read the others', async () => {
		const times = ['2024-01-03', '2024-02-03', '2024-03-03'].map((time) => ns(at(time)));
		await write(['1', 'true', '2'].map((value, index) => `middle value=${value} ${times[index]}`));
		await write(times.map((time) => `steady value=4 ${time}`));
		// Windows of 3, 2 and 3 weeks are three runs, each with one shard of samples.
		const weeks = [at('2024-01-01'), at('2024-01-22'), at('2024-02-05'), at('2024-02-05') + 40 * day.ms];
		const series = open();
		for (const _ of ['types unknown', 'types known']) {
			const results = await series.readSpans(bucket, [span('middle', weeks, ['mean']), span('steady', weeks, ['mean'])]);
			expect(results.map(readableSpan)).toMatchObject([{ fault: 'type_changed' }, { mean: [4, 4, 4] }]);
		}
	});
});
