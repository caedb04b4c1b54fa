import { beforeAll, expect, test } from 'vitest';
import { fluxQueryOf } from '#adapters/influx/flux-query.ts';
import type { KnownType } from '#adapters/influx/known-types.ts';
import { planStreams } from '#adapters/influx/streams.ts';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import { history, hour, minute, months, newest, noon, ns, trailing } from '#test/contract/time-series/feed.ts';
import { describeInflux, influxd, newBucket } from '#test/support/servers/influx.ts';
import { writeLines } from '#test/support/servers/influxd.ts';

const place = { topicColumn: '_measurement' };
const topics = Array.from({ length: 40 }, (_, index) => `plant/${index}`);

describeInflux('pushdown, according to the server’s profiler', () => {
	let bucket: string;
	beforeAll(async () => {
		bucket = await newBucket();
		const lines = topics.flatMap((topic) => [`${topic} value=5,other=6 ${ns(noon - 1000)}`]);
		await writeLines(influxd(), bucket, lines.join('\n'));
	});

	/** Returns the names of the operations that a script runs, without their numbers. */
	const operations = async (keys: readonly SeriesKey[], type: KnownType): Promise<ReadonlySet<string>> => {
		const query = fluxQueryOf(
			bucket,
			planStreams(keys, noon + 1234, () => type),
			place,
		);
		const { url, org, token } = influxd();
		const response = await fetch(`${url}/api/v2/query?org=${org}`, {
			method: 'POST',
			headers: { authorization: `Token ${token}`, 'content-type': 'application/vnd.flux' },
			body: `import "profiler"\n${query.text.replace(/^end = /m, 'option profiler.enabledProfilers = ["operator"]\nend = ')}`,
		});
		const text = await response.text();
		expect(response.status, text).toBe(200);
		const rows = text.split('\r\n').filter((line) => line.includes('profiler/operator'));
		return new Set(rows.map((line) => line.split(',')[5]?.replace(/\d+/g, '') ?? ''));
	};

	/** Operations after the aggregation: none of them reads a single sample. */
	const afterAggregation: ReadonlySet<string> = new Set(['array.from', 'group', 'keep', 'union']);
	const forAll = (key: (topic: string) => SeriesKey) => topics.map(key);

	test.each<[string, readonly SeriesKey[], readonly string[]]>([
		['newest', forAll((topic) => newest(topic)), ['ReadWindowAggregate']],
		[
			'several fields',
			[...forAll((topic) => newest(topic)), ...forAll((topic) => ({ ...newest(topic), field: 'other' }))],
			['ReadWindowAggregate'],
		],
		['history of means', forAll((topic) => history(topic, hour, minute)), ['ReadWindowAggregate', 'ReadWindowAggregateByTime']],
		[
			'history of last values',
			forAll((topic) => history(topic, hour, minute, 'last')),
			['ReadWindowAggregate', 'ReadWindowAggregateByTime'],
		],
		[
			'history by the calendar',
			forAll((topic) => history(topic, months(3), months(1))),
			['ReadWindowAggregate', 'ReadWindowAggregateByTime'],
		],
		[
			'trailing means',
			forAll((topic) => trailing(topic, hour, minute)),
			['ReadWindowAggregate', 'ReadWindowAggregateByTime', 'last'],
		],
	])('%s', async (_, keys, reads) => {
		const ran = [...(await operations(keys, 'float'))].filter((operation) => !afterAggregation.has(operation));
		expect(ran.sort()).toEqual([...reads].sort());
	});

	test.each(['integer', 'boolean', 'mixed'] as const)('reads single samples for means of the type %s', async (type) => {
		const keys = forAll((topic) => history(topic, hour, minute));
		expect([...(await operations(keys, type))].join()).toMatch(/ReadRange.*(vectorizedMap|aggregateWindow)/);
	});
});
