import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { SampleKey } from '#domain/ports/sample-reader.ts';
import { sampleReaderContract } from '#test/contract/sample-reader.ts';
import { hour, noon, ns } from '#test/contract/time-series/feed.ts';
import {
	describeInflux,
	influxd,
	newBucket,
	openInflux,
	openInfluxByTopic,
	openInfluxForContract,
} from '#test/support/servers/influx.ts';
import { type InfluxProxy, openInfluxProxy } from '#test/support/servers/influx-proxy.ts';
import { writeLines } from '#test/support/servers/influxd.ts';
import { influxdVersion, newestInfluxdVersion } from '#test/support/servers/influxd-build.ts';
import type { InfluxTimeSeries } from '#test/support/servers/open-influx.ts';

const servers = [
	['influxd', influxdVersion],
	['newestInfluxd', newestInfluxdVersion],
] as const;

for (const [server, version] of servers)
	describe.skipIf(inject(server) === null)(`createInfluxSampleReader on influxd ${version}`, () => {
		sampleReaderContract('InfluxDB', () => openInfluxForContract({}, influxd(server)), { absentDatabase: 'fault' });
		// The other ways to read are proven on the first server only.
		if (server !== 'influxd') return;
		sampleReaderContract(
			'InfluxDB, the topic being a tag',
			() => openInfluxByTopic({ topicColumn: 'topic', measurement: 'mqtt_consumer' }, influxd(server)),
			{ topicTag: { key: 'topic', measurement: 'mqtt_consumer' }, absentDatabase: 'fault' },
		);
	});

const floats = Array.from({ length: 39 }, (_, index) => `float/${index}`);

describeInflux('requests of createInfluxSampleReader', () => {
	let bucket: string;
	let proxy: InfluxProxy;
	const opened: InfluxTimeSeries[] = [];
	const open = (): InfluxTimeSeries => {
		const series = openInflux({ url: proxy.url });
		opened.push(series);
		return series;
	};
	const keyOf = (topic: string): SampleKey => ({ topic, field: 'value', from: noon - hour.ms, to: noon, baseFrom: 0 });

	beforeAll(async () => {
		bucket = await newBucket();
		proxy = await openInfluxProxy(influxd().url);
		const [before, time] = [ns(noon - 2 * hour.ms), ns(noon - 60_000)];
		const lines = floats.flatMap((topic) => [`${topic} value=1 ${before}`, `${topic} value=1.5 ${time}`]);
		const others = [`flag value=true ${time}`, `count value=3i ${time}`, `words value="a" ${time}`];
		await writeLines(influxd(), bucket, [...lines, ...others].join('\n'));
		await writeLines(influxd(), bucket, `mixed,site=a value=1 ${time}\nmixed,site=b value=2 ${ns(noon - 30 * 24 * hour.ms)}`);
		await writeLines(influxd(), bucket, `mixed,site=b value=2i ${ns(noon - 60 * 24 * hour.ms)}`);
	});
	afterAll(() => {
		for (const series of opened) series.close();
		proxy.close();
	});

	test('are one for floats, integers, booleans and text, with the sample before each, and one for their count', async () => {
		const series = open();
		const keys = [...floats, 'flag', 'count', 'words'].map(keyOf);
		for (const _ of ['types unknown', 'types known']) {
			proxy.newRequests();
			const results = await series.readSamples(bucket, keys);
			expect(proxy.newRequests()).toBe(1);
			expect(results.map((result) => ('fault' in result ? result.fault : result.flatMap(({ values }) => [...values])))).toEqual([
				...floats.map(() => [1, 1.5]),
				[1],
				[3],
				'not_numeric',
			]);
		}
		expect(await series.countSamples(bucket, keys)).toEqual(keys.map(() => 1));
		expect(proxy.newRequests()).toBe(1);
	});

	test('are at most three where a series has several types, then one', async () => {
		const series = open();
		const keys = [...floats, 'mixed'].map((topic) => ({ ...keyOf(topic), from: noon - 90 * 24 * hour.ms }));
		const requests: number[] = [];
		for (const _ of ['types unknown', 'types known']) {
			proxy.newRequests();
			const results = await series.readSamples(bucket, keys);
			requests.push(proxy.newRequests());
			expect(results[39]).toMatchObject([{ tags: [['site', 'b']], values: Float64Array.of(2, 2) }, { tags: [['site', 'a']] }]);
			for (const result of results.slice(0, 39)) expect(result).toMatchObject([{ values: Float64Array.of(1, 1.5) }]);
		}
		expect(requests[0]).toBeLessThanOrEqual(3);
		expect(requests[1]).toBe(1);
	});
});
