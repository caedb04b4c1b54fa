import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import {
	at,
	day,
	days,
	history,
	hour,
	minute,
	months,
	newest,
	noon,
	nothing,
	ns,
	readable,
	trailing,
} from '#test/contract/time-series/feed.ts';
import { describeInflux, influxd, newBucket, openInflux } from '#test/support/servers/influx.ts';
import { type InfluxProxy, openInfluxProxy } from '#test/support/servers/influx-proxy.ts';
import { writeLines } from '#test/support/servers/influxd.ts';
import type { InfluxTimeSeries } from '#test/support/servers/open-influx.ts';

const values = ['1.5', '2i', '3u', 'true', '"text"', '9007199254740993i', '-4', 'false'];
const topics = Array.from({ length: 125 }, (_, index) => `plant/${index}`);
const writtenValueOf = (index: number): string => values[index % values.length] ?? '1';

const kinds: readonly ((topic: string) => SeriesKey)[] = [
	(topic) => newest(topic),
	(topic) => history(topic, day, hour),
	(topic) => history(topic, hour, minute, 'last'),
	(topic) => trailing(topic, hour, hour),
];
/** Returns `count` distinct series: every topic in every kind of read. */
const batchOf = (count: number): readonly SeriesKey[] =>
	Array.from({ length: count }, (_, index) => (kinds[index % 4] ?? newest)(topics[Math.floor(index / 4)] ?? ''));

describeInflux('requests of createInfluxTimeSeries', () => {
	let bucket: string;
	let proxy: InfluxProxy;
	const opened: InfluxTimeSeries[] = [];
	const open = (options: Parameters<typeof openInflux>[0] = {}): InfluxTimeSeries => {
		const series = openInflux({ url: proxy.url, ...options });
		opened.push(series);
		return series;
	};
	const write = (lines: readonly string[]) => writeLines(influxd(), bucket, lines.join('\n'));

	beforeAll(async () => {
		bucket = await newBucket();
		proxy = await openInfluxProxy(influxd().url);
		await write(topics.map((topic, index) => `${topic} value=${writtenValueOf(index)} ${ns(noon - 60_000)}`));
	});
	afterAll(() => {
		for (const series of opened) series.close();
		proxy.close();
	});

	test.each([1, 2, 39, 40, 41, 100, 250, 500])(
		'reads a batch of %d series of every kind and type with at most three requests, and with one when types are known',
		async (count) => {
			const series = open();
			for (const requests of [3, 1, 1]) {
				proxy.newRequests();
				const results = await series.read(bucket, batchOf(count), noon);
				expect(proxy.newRequests()).toBeLessThanOrEqual(requests);
				expect(results).toHaveLength(count);
				for (const [index, result] of results.entries()) {
					const text = writtenValueOf(Math.floor(index / 4));
					const isNewest = index % 4 === 0;
					if (text === '"text"' && !isNewest) expect(result).toEqual({ fault: 'not_numeric' });
					else if (text === '"text"') expect(result).toMatchObject({ values: [null], faults: new Map([[0, 'not_numeric']]) });
					else if (text === '9007199254740993i')
						expect(result).toMatchObject({ values: [null], faults: new Map([[0, 'precision']]) });
					else expect(result).toMatchObject({ values: [text === 'true' ? 1 : text === 'false' ? 0 : Number.parseFloat(text)] });
				}
			}
		},
	);

	test('sends no request for no series, and one for a series that is requested twice', async () => {
		const series = open();
		proxy.newRequests();
		expect(await series.read(bucket, [], noon)).toEqual([]);
		expect(proxy.newRequests()).toBe(0);
		const [first, second] = await series.read(bucket, [newest('plant/0'), newest('plant/0')], noon);
		expect(second).toEqual(first);
		expect(proxy.newRequests()).toBe(1);
	});

	test('reads means of floats with one request, before their types are known and after', async () => {
		const floats = Array.from({ length: 39 }, (_, index) => `float/${index}`);
		await write(floats.map((topic) => `${topic} value=1.5 ${ns(noon - 60_000)}`));
		await write([`flag value=true ${ns(noon - 60_000)}`]);
		const series = open();
		const keys = floats.map((topic) => history(topic, hour, hour));
		for (const _ of ['types unknown', 'types known']) {
			proxy.newRequests();
			for (const result of await series.read(bucket, keys, noon)) expect(result).toMatchObject({ values: [1.5] });
			expect(proxy.newRequests()).toBe(1);
		}
		const cold = open();
		for (const requests of [3, 1]) {
			proxy.newRequests();
			const results = await cold.read(bucket, [...keys, history('flag', hour, hour)], noon);
			expect(results.flatMap((result) => ('values' in result ? result.values : []))).toEqual([...floats.map(() => 1.5), 1]);
			expect(proxy.newRequests()).toBe(requests);
		}
	});

	test('judges newest values that share a stream by their own lookbacks, in each tag set', async () => {
		const before = (ms: number) => ns(noon - ms);
		await write([
			`shared,site=a value=1 ${before(90_000)}`,
			`shared,site=b value=2 ${before(30_000)}`,
			`old value=3 ${before(90_000)}`,
			`twins,site=a value=4 ${before(90_000)}`,
			`twins,site=b value=5 ${before(90_000)}`,
		]);
		const series = open();
		const of = (topic: string, ms: number) => newest(topic, { ms });
		const keys = [
			of('shared', 10_000),
			of('shared', minute.ms),
			of('old', minute.ms),
			of('old', 90_000),
			of('twins', minute.ms),
			of('twins', 120_000),
		];
		const at90 = new Date(noon - 90_000).toISOString();
		expect((await series.read(bucket, keys, noon)).map(readable)).toEqual([
			nothing,
			{ points: [['2024-03-15T11:59:30.000Z', 2]], newestAt: '2024-03-15T11:59:30.000Z' },
			nothing,
			{ points: [[at90, 3]], newestAt: at90 },
			nothing,
			{ points: [[at90, 'several_series']], newestAt: at90 },
		]);
	});

	test.each([
		['true', 3, { points: [['2024-03-15T12:00:00.000Z', 1]] }],
		['4i', 2, { points: [['2024-03-15T12:00:00.000Z', 4]] }],
		['9007199254740993i', 2, { points: [['2024-03-15T12:00:00.000Z', 'precision']] }],
		['"text"', 3, { fault: 'not_numeric' }],
	])('learns the new type of a float that became %s with %d requests, once', async (value, most, expected) => {
		const topic = `changing/${value}`;
		const february = at('2024-02-15T12:00:00Z');
		await write([`${topic} value=2.5 ${ns(february - 60_000)}`, `plant/0 value=1.5 ${ns(february - 60_000)}`]);
		await write([`${topic.replace(/[, ]/g, '\\$&')} value=${value} ${ns(noon - 60_000)}`]);
		const series = open();
		const keys = [trailing(topic, hour, hour), history('plant/0', hour, hour)];
		expect((await series.read(bucket, keys, february)).map(readable)).toMatchObject([
			{ points: [[expect.anything(), 2.5]] },
			{ points: [[expect.anything(), 1.5]] },
		]);
		for (const requests of [most, 1, 1]) {
			proxy.newRequests();
			const results = await series.read(bucket, keys, noon);
			expect(results.map(readable)).toMatchObject([expected, { points: [[expect.anything(), 1.5]] }]);
			expect(proxy.newRequests()).toBe(requests);
		}
		// Numbers are read together. A range with other types never gives a number.
		const [newestWindow] = 'points' in expected ? expected.points : [];
		const both = value.endsWith('i')
			? [{ points: [newestWindow] }, { points: [['2024-02-16T00:00:00.000Z', 2.5], newestWindow] }]
			: [{ fault: 'type_changed' }, { fault: 'type_changed' }];
		const results = await series.read(bucket, [trailing(topic, days(60), hour), history(topic, months(2), day, 'last')], noon);
		expect(results.map(readable)).toMatchObject(both);
	});

	test('reads a series whose type and tag set changed at the same time', async () => {
		await write([`moved,site=a value=1 ${ns(at('2024-02-15T12:00:00Z'))}`, `moved,site=b value=2i ${ns(noon - 60_000)}`]);
		const series = open();
		const keys = [newest('moved', days(60)), trailing('moved', days(60), day), trailing('moved', hour, hour), newest('plant/0')];
		for (const _ of ['types unknown', 'types known'])
			expect((await series.read(bucket, keys, noon)).map(readable)).toMatchObject([
				{ points: [['2024-03-15T11:59:00.000Z', 2]] },
				{ points: [['2024-03-15T12:00:00.000Z', 2]] },
				{ points: [['2024-03-15T12:00:00.000Z', 2]] },
				{ points: [['2024-03-15T11:59:00.000Z', 1.5]] },
			]);
	});

	test('sends two requests where sources are told apart and there are several, then one for five minutes', async () => {
		const time = ns(noon - 60_000);
		await write([`apart,site=a value=1 ${time}`, `apart,site=b value=2 ${time}`, `alone,site=a value=3 ${time}`]);
		let clock = 0;
		const series = open({ clock: () => clock });
		const keys = ['apart', 'alone'].map((topic): SeriesKey => ({ ...history(topic, hour, minute, 'last'), bySource: true }));
		const read = async (): Promise<number> => {
			proxy.newRequests();
			const results = await series.read(bucket, keys, noon);
			const sources = results.map((result) => ('fault' in result ? [] : [...(result.sources?.values() ?? [])]));
			expect(sources.map((each) => each.map(({ values }) => values))).toEqual([[[1], [2]], [[3]]]);
			return proxy.newRequests();
		};
		expect([await read(), await read()]).toEqual([2, 1]);
		clock = 299_999;
		expect(await read()).toBe(1);
		clock = 600_000;
		expect(await read()).toBe(2);
		// Who does not tell them apart reads them as before.
		proxy.newRequests();
		expect((await series.read(bucket, [history('apart', hour, minute, 'last')], noon)).map(readable)).toMatchObject([
			{ points: [['2024-03-15T12:00:00.000Z', 'several_series']] },
		]);
		expect(proxy.newRequests()).toBe(1);
	});

	test('sends three requests for two measurements of one topic with different types, and remembers that for five minutes', async () => {
		const time = ns(noon - 60_000);
		await write([`one,place=x value=1 ${time - 1n}`, `two,place=x value=2i ${time}`, `one,place=y value=3 ${time}`]);
		let clock = 0;
		const series = open({ topicColumn: 'place', clock: () => clock });
		const keys = [newest('x'), history('x', hour, hour), newest('y'), history('y', hour, hour)];
		const read = async (): Promise<number> => {
			proxy.newRequests();
			expect((await series.read(bucket, keys, noon)).map(readable)).toMatchObject([
				{ points: [['2024-03-15T11:59:00.000Z', 2]] },
				{ points: [['2024-03-15T12:00:00.000Z', 'several_series']] },
				{ points: [['2024-03-15T11:59:00.000Z', 3]] },
				{ points: [['2024-03-15T12:00:00.000Z', 3]] },
			]);
			return proxy.newRequests();
		};
		expect([await read(), await read()]).toEqual([3, 1]);
		clock = 299_999;
		expect(await read()).toBe(1);
		clock = 600_000;
		expect(await read()).toBe(3);
	});

	test('reports a field that is a string in one week and a float in the next', async () => {
		await write([`retyped value="29" ${ns(at('2024-02-15T12:00:00Z'))}`, `retyped value=2 ${ns(noon - 60_000)}`]);
		const series = open();
		for (const _ of ['types unknown', 'types known'])
			expect(
				(
					await series.read(
						bucket,
						[history('retyped', days(60), day), history('retyped', days(60), day, 'last'), history('retyped', hour, hour)],
						noon,
					)
				).map(readable),
			).toMatchObject([{ fault: 'type_changed' }, { fault: 'type_changed' }, { points: [[expect.anything(), 2]] }]);
	});

	test('reports a sum of integers that would overflow', async () => {
		await write([1, 2, 3].map((index) => `large value=9223372036854775807i ${ns(noon - index * 1000)}`));
		const series = open();
		for (const _ of ['types unknown', 'types known'])
			expect(await series.read(bucket, [trailing('large', hour, hour)], noon)).toMatchObject([
				{ values: [null], faults: new Map([[0, 'precision']]) },
			]);
	});
});

describeInflux('names of topics and fields', () => {
	const hostileNames = [
		'"',
		'\\',
		'\\"',
		'$"',
		'$${x}',
		'\u0024{x}',
		'"\u0024{1 + 1}"',
		'\0',
		'a\nb',
		'\r\n',
		'\u0001\u001f\u007f\u0080\u2028',
		'") |> drop(columns: ["_value"]) //',
		'💧\u{10ffff}',
		'\u{10ffff}',
		'\u{10ffff}\u{10ffff}z',
		'\ufeff',
		'\ud800',
		'a,b=c d',
		'#datatype',
		'x'.repeat(1000),
		'\\$"\0\n'.repeat(200),
	];

	test('reads every name that InfluxDB can hold, and no name breaks the batch', async () => {
		const bucket = await newBucket();
		for (const topicColumn of ['_measurement', 'topic']) {
			const series = openInflux({ topicColumn });
			const isTag = topicColumn === 'topic';
			const written = new Map<string, number>();
			for (const [index, name] of hostileNames.entries()) {
				const escaped = (text: string, pattern: RegExp) => text.replace(pattern, '\\$&');
				const head = isTag ? `m,topic=${escaped(name, /[,= ]/g)}` : escaped(name, /[, ]/g);
				try {
					await writeLines(influxd(), bucket, `${head} ${escaped(name, /[,= ]/g)}=${index} ${ns(noon - 60_000)}`);
					written.set(name, index);
				} catch {
					// The server rejects this name.
				}
			}
			expect(written.size).toBeGreaterThan(8);
			const keys = hostileNames.flatMap((name): SeriesKey[] => [
				{ ...newest(name), field: name },
				{ ...history(name, hour, hour), field: name },
			]);
			for (const _ of ['types unknown', 'types known']) {
				const results = await series.read(bucket, [...keys, newest('absent')], noon);
				for (const [index, name] of hostileNames.entries())
					for (const result of results.slice(2 * index, 2 * index + 2)) {
						const found = result !== undefined && 'values' in result ? result.values : undefined;
						// The series may exist under another name: the server drops or changes some characters.
						expect([[written.get(name)], []], JSON.stringify(name)).toContainEqual(found);
					}
				const read = results.filter((result) => 'values' in result && result.values.length > 0).length;
				expect(read).toBeGreaterThan(16);
			}
			series.close();
		}
	});
});
