import { beforeAll, expect, test } from 'vitest';
import { fluxQueryOf } from '#adapters/influx/flux-query.ts';
import { planStreams } from '#adapters/influx/streams.ts';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import { history, hour, minute, months, newest, noon, ns, trailing } from '#test/contract/time-series/feed.ts';
import { describeInflux, influxd, newBucket } from '#test/support/servers/influx.ts';
import { writeLines } from '#test/support/servers/influxd.ts';

const place = { topicColumn: '_measurement' };
const topics = Array.from({ length: 40 }, (_, index) => `plant/${index}`);

describeInflux('pushdown, by the server’s own profile of what ran', () => {
	let bucket: string;
	beforeAll(async () => {
		bucket = await newBucket();
		const lines = topics.flatMap((topic) => [`${topic} value=5,other=6 ${ns(noon - 1000)}`]);
		await writeLines(influxd(), bucket, lines.join('\n'));
	});

	/** The operations that a script takes, without the numbers that tell them apart. */
	const operations = async (keys: readonly SeriesKey[], known?: 'float' | 'number'): Promise<ReadonlySet<string>> => {
		const script = fluxQueryOf(
			bucket,
			planStreams(keys, noon + 1234, () => known),
			place,
		);
		const { url, org, token } = influxd();
		const response = await fetch(`${url}/api/v2/query?org=${org}`, {
			method: 'POST',
			headers: { authorization: `Token ${token}`, 'content-type': 'application/vnd.flux' },
			body: `import "profiler"\n${script.text.replace(/^end = /m, 'option profiler.enabledProfilers = ["operator"]\nend = ')}`,
		});
		const text = await response.text();
		expect(response.status, text).toBe(200);
		const rows = text.split('\r\n').filter((line) => line.includes('profiler/operator'));
		return new Set(rows.map((line) => line.split(',')[5]?.replace(/\d+/g, '') ?? ''));
	};

	/** What only shapes the answer: nothing here sees a sample that storage has not aggregated. */
	const shaping: ReadonlySet<string> = new Set(['array.from', 'group', 'keep', 'union']);
	const of = (key: (topic: string) => SeriesKey) => topics.map(key);

	test.each<[string, readonly SeriesKey[], readonly string[]]>([
		['newest', of((topic) => newest(topic)), ['ReadWindowAggregate']],
		[
			'several fields',
			[...of((topic) => newest(topic)), ...of((topic) => ({ ...newest(topic), field: 'other' }))],
			['ReadWindowAggregate'],
		],
		['history of means', of((topic) => history(topic, hour, minute)), ['ReadWindowAggregate', 'ReadWindowAggregateByTime']],
		[
			'history of last values',
			of((topic) => history(topic, hour, minute, 'last')),
			['ReadWindowAggregate', 'ReadWindowAggregateByTime'],
		],
		[
			'history by the calendar',
			of((topic) => history(topic, months(3), months(1))),
			['ReadWindowAggregate', 'ReadWindowAggregateByTime'],
		],
		[
			'trailing means',
			of((topic) => trailing(topic, hour, minute)),
			['ReadWindowAggregate', 'ReadWindowAggregateByTime', 'last'],
		],
	])('%s', async (_, keys, reads) => {
		const ran = [...(await operations(keys, 'float'))].filter((operation) => !shaping.has(operation));
		expect(ran.sort()).toEqual([...reads].sort());
	});

	test('a mean whose type is not known, or that is of integers, reads samples: the proof sees the difference', async () => {
		const keys = of((topic) => history(topic, hour, minute));
		for (const known of ['number', undefined] as const)
			expect([...(await operations(keys, known))].join()).toMatch(/ReadRange.*(vectorizedMap|aggregateWindow)/);
	});
});
