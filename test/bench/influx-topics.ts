import { InfluxDB } from '@influxdata/influxdb-client';
import type { InfluxConnectionOptions } from '#adapters/influx/influx-connection.ts';
import { maxCatalogTopics } from '#domain/ports/topic-catalog.ts';
import { listTopics } from '#domain/use-cases/list-topics.ts';
import { createBucket, type Influxd, writeLines } from '#test/support/servers/influxd.ts';
import { openInfluxAt } from '#test/support/servers/open-influx.ts';
import { alternate, type BenchRow, ratioRow, sizeOf } from './row.ts';

const topics = sizeOf(5000, 600);
const weekMs = 7 * 86_400_000;
const minuteMs = 60_000;
const rounds = sizeOf(9, 1);
/** Topics that one stream of the handwritten query reads. */
const topicsPerStream = 40;
const maxGrownMb = 100;

/** InfluxDB keeps a shard a week. The index of every shard is read for names, whatever the range: 260 shards are five years. */
const histories = [
	{ bucket: 'topics', weeks: sizeOf(5, 2), maxRatio: 10 },
	{ bucket: 'topics_of_years', weeks: sizeOf(260, 3), maxRatio: 20 },
] as const;

type TopicHistory = (typeof histories)[number];

const topicAt = (index: number): string => `plant/area${index % 10}/well/${String(index).padStart(4, '0')}/flow`;

/** Writes two fields of each topic, once a week. */
const writeTopics = async (influxd: Influxd, { bucket, weeks }: TopicHistory, now: number): Promise<void> => {
	await createBucket(influxd, bucket);
	for (let week = 0; week < weeks; week += 1) {
		const time = BigInt(now - week * weekMs - minuteMs) * 1_000_000n;
		const lines = Array.from({ length: topics }, (_, index) => `${topicAt(index)} value=${index},quality=192i ${time}`);
		await writeLines(influxd, bucket, lines.join('\n'));
	}
};

/** Returns the query of a person who knows the topics of the page. */
const handWritten = (bucket: string, page: readonly string[]): string =>
	Array.from({ length: Math.ceil(page.length / topicsPerStream) }, (_, stream) => {
		const own = page.slice(stream * topicsPerStream, (stream + 1) * topicsPerStream);
		const filter = own.map((topic) => `r._measurement == "${topic}"`).join(' or ');
		return `from(bucket: "${bucket}") |> range(start: -30d) |> filter(fn: (r) => ${filter}) |> last() |> yield(name: "${stream}")`;
	}).join('\n');

/**
 * Measures the first page of the topics of a database, with the names read anew and with the names kept, against the newest values of its
 * topics alone.
 */
export async function benchTopics(influxd: Influxd, options: InfluxConnectionOptions): Promise<readonly BenchRow[]> {
	const rows: BenchRow[] = [];
	for (const history of histories) rows.push(...(await benchHistory(influxd, options, history)));
	return rows;
}

async function benchHistory(
	influxd: Influxd,
	options: InfluxConnectionOptions,
	history: TopicHistory,
): Promise<readonly BenchRow[]> {
	const { bucket, weeks, maxRatio } = history;
	const now = Date.now();
	await writeTopics(influxd, history, now);
	const queryApi = new InfluxDB({ url: influxd.url, token: influxd.token }).getQueryApi(influxd.org);
	const opened = openInfluxAt(options);
	let at = now;
	const definitions = { get: async () => new Map() };
	const question = { prefix: '', search: '', limit: maxCatalogTopics, after: null };
	const keptPage = () => listTopics({ catalog: opened, definitions }, { schema: bucket, database: bucket }, question, at);
	/** Each read is later than the names of the one before are kept. */
	const firstPage = () => {
		at += 2 * minuteMs;
		return keptPage();
	};
	const { series } = await firstPage();
	if (series.length !== 2 * maxCatalogTopics) throw new Error(`A page has ${series.length} series.`);
	const query = handWritten(bucket, [...new Set(series.map(({ topic }) => topic))]);
	const memoryBefore = process.memoryUsage().rss;
	const anew = await alternate(firstPage, () => queryApi.collectRows(query), rounds);
	const kept = await alternate(keptPage, () => queryApi.collectRows(query), rounds);
	const grownMb = (process.memoryUsage().rss - memoryBefore) / 1e6;
	opened.close();
	const name = `topics, page of 500 among 5,000 with 2 fields in ${weeks} shards`;
	const baseline = 'their newest values, topics known';
	return [
		ratioRow(`${name}, names anew`, baseline, anew, { maxRatio }),
		ratioRow(`${name}, names kept`, baseline, kept, { maxRatio: 2 }),
		{
			name: `topics, memory of 40 pages in ${weeks} shards`,
			baseline: 'none',
			measured: `${grownMb.toFixed(0)} MB`,
			ratio: null,
			budget: `at most ${maxGrownMb} MB`,
			met: grownMb <= maxGrownMb,
		},
	];
}
