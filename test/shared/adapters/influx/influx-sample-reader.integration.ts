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
	const open = (options: Parameters<typeof openInflux>[0] = {}): InfluxTimeSeries => {
		const series = openInflux({ url: proxy.url, ...options });
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

	test('are two where a series has several sources, then one for five minutes, also for other ranges and one of the sources', async () => {
		const before = (hours: number) => ns(noon - hours * hour.ms - 60_000);
		await writeLines(
			influxd(),
			bucket,
			`two,site=a value=1 ${before(1)}\ntwo,site=b value=2 ${before(1)}\ntwo,site=b value=3 ${before(0)}`,
		);
		let clock = 0;
		const series = open({ clock: () => clock });
		const read = async (from: number, to = noon) => {
			proxy.newRequests();
			const [result = []] = await series.readSamples(bucket, [{ topic: 'two', field: 'value', from, to }]);
			if ('fault' in result) throw new Error(result.fault);
			return [proxy.newRequests(), ...result.map(({ tags, values }) => [tags[0]?.[1], ...values])];
		};
		const [early, late] = [noon - 2 * hour.ms, noon - hour.ms];
		expect(await read(late)).toEqual([1, ['b', 3]]);
		expect(await read(early)).toEqual([2, ['a', 1], ['b', 2, 3]]);
		expect(await read(early)).toEqual([1, ['a', 1], ['b', 2, 3]]);
		clock = 299_999;
		expect(await read(early, late)).toEqual([1, ['a', 1], ['b', 2]]);
		clock = 599_998;
		expect(await read(late)).toEqual([1, ['b', 3]]);
		clock = 600_000;
		expect(await read(early)).toEqual([2, ['a', 1], ['b', 2, 3]]);
	});

	test('see a type that changed where several sources were read before', async () => {
		const [january, february] = [noon - 60 * 24 * hour.ms, noon - 30 * 24 * hour.ms];
		await writeLines(influxd(), bucket, `later,site=a value=1 ${ns(january)}\nlater,site=b value=2 ${ns(january)}`);
		await writeLines(influxd(), bucket, `later,site=a value=3i ${ns(february)}\nlater,site=b value=4i ${ns(february)}`);
		await writeLines(influxd(), bucket, `flags,site=a value=1 ${ns(january)}\nflags,site=b value=2 ${ns(january)}`);
		await writeLines(influxd(), bucket, `flags,site=a value=true ${ns(february)}`);
		const series = open();
		const keysTo = (to: number) => ['later', 'flags'].map((topic) => ({ topic, field: 'value', from: january, to }));
		for (const requests of [2, 1]) {
			proxy.newRequests();
			expect(await series.readSamples(bucket, keysTo(january))).toMatchObject([
				[{ values: Float64Array.of(1) }, { values: Float64Array.of(2) }],
				[{ values: Float64Array.of(1) }, { values: Float64Array.of(2) }],
			]);
			expect(proxy.newRequests()).toBe(requests);
		}
		for (const requests of [2, 1]) {
			expect(await series.readSamples(bucket, keysTo(noon))).toMatchObject([
				[{ values: Float64Array.of(1, 3) }, { values: Float64Array.of(2, 4) }],
				{ fault: 'type_changed', at: february },
			]);
			expect(proxy.newRequests()).toBe(requests);
		}
	});
});
