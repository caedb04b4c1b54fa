import { setTimeout as pause } from 'node:timers/promises';
import { InfluxDB } from '@influxdata/influxdb-client';
import type { InfluxConnectionOptions } from '#adapters/influx/influx-connection.ts';
import { staticSecret } from '#adapters/secret.ts';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import { planOf } from '#domain/reading/plan.ts';
import type { Variable } from '#domain/variable/variable.ts';
import { makeQuery, makeVariable } from '#test/support/builders/builders.ts';
import { openInfluxProxy, passThrough } from '#test/support/servers/influx-proxy.ts';
import { createBucket, type Influxd, startInfluxd, writeLines } from '#test/support/servers/influxd.ts';
import { type InfluxTimeSeries, openInfluxAt } from '#test/support/servers/open-influx.ts';
import { benchAlarmTick } from './alarm-tick.ts';
import { benchResponse } from './influx-answer.ts';
import { benchSpans } from './influx-spans.ts';
import { benchTopics } from './influx-topics.ts';
import { alternate, type BenchRow, ratioRow, sizeOf } from './row.ts';

const bucket = 'bench';
const series = sizeOf(40, 4);
const stepMs = sizeOf(10_000, 600_000);
const day = { ms: 86_400_000 };
const minute = { ms: 60_000 };
const now = Date.UTC(2026, 0, 15, 12);
const topics = Array.from({ length: series }, (_, index) => `plant/area/${index}`);
const delayMs = 20;
const manyVariables = sizeOf(2000, 40);

const newest = (topic: string): SeriesKey => ({ read: 'newest', topic, field: 'value', lookback: day });
const means = (topic: string): SeriesKey => ({
	read: 'history',
	topic,
	field: 'value',
	lookback: day,
	period: minute,
	aggregate: 'mean',
});

/** Writes a day of every topic, one sample every 10 s. */
const writeSamples = async (influxd: Influxd): Promise<void> => {
	await createBucket(influxd, bucket);
	for (const [index, topic] of topics.entries()) {
		const lines = Array.from(
			{ length: day.ms / stepMs },
			(_, step) => `${topic} value=${((step * 37 + index) % 1000) / 7} ${BigInt(now - (step + 1) * stepMs) * 1_000_000n}`,
		);
		await writeLines(influxd, bucket, lines.join('\n'));
	}
};

const handwrittenQuery = (aggregate: string): string => `from(bucket: "${bucket}")
  |> range(start: ${new Date(now - day.ms).toISOString()}, stop: ${new Date(now).toISOString()})
  |> filter(fn: (r) => (${topics.map((topic) => `r._measurement == "${topic}"`).join(' or ')}) and r._field == "value")
  |> ${aggregate}
  |> keep(columns: ["_time", "_value", "_measurement"])`;

const mean = 'aggregateWindow(every: 1m, fn: mean, createEmpty: false)';

/** Compares one batch with one handwritten query for the same rows, which checks neither types nor completeness and uses the client. */
const benchHandwritten = async (influxd: Influxd, adapter: InfluxTimeSeries): Promise<readonly BenchRow[]> => {
	const api = new InfluxDB(influxd).getQueryApi(influxd.org);
	const against = (keys: readonly SeriesKey[], script: string) =>
		alternate(
			() => adapter.read(bucket, keys, now),
			() => api.collectRows(script),
		);
	const baseline = 'one handwritten query, collectRows';
	const both = `${handwrittenQuery('last()')} |> yield(name: "newest")\n${handwrittenQuery(mean)} |> yield(name: "means")`;
	const values = await against(topics.map(newest), handwrittenQuery('last()'));
	return [
		ratioRow(`InfluxDB: ${series} newest values`, baseline, values, { maxRatio: 1.25 }),
		ratioRow(`InfluxDB: ${series} x 1440 means`, baseline, await against(topics.map(means), handwrittenQuery(mean)), {
			maxRatio: 1.15,
		}),
		ratioRow('InfluxDB: both in one batch', baseline, await against([...topics.map(newest), ...topics.map(means)], both), {
			maxRatio: 1.15,
		}),
	];
};

/** Compares one batch with one request per variable, over a network with a delay of 20 ms. */
const benchNetwork = async (influxd: Influxd, options: InfluxConnectionOptions): Promise<readonly BenchRow[]> => {
	const proxy = await openInfluxProxy(influxd.url);
	proxy.handleWith(async (response, forward) => {
		await pause(delayMs);
		return passThrough(response, forward);
	});
	const adapter = openInfluxAt({ ...options, url: proxy.url });
	try {
		const keys = topics.map(newest);
		const batch = () => adapter.read(bucket, keys, now);
		const sequence = await alternate(batch, async () => {
			for (const key of keys) await adapter.read(bucket, [key], now);
		});
		const parallel = await alternate(batch, () => Promise.all(keys.map((key) => adapter.read(bucket, [key], now))));
		const name = `InfluxDB behind ${delayMs} ms: ${series} newest values`;
		return [
			ratioRow(name, 'one request each, in sequence', sequence, { maxRatio: 0.05 }),
			ratioRow(name, 'one request each, in parallel', parallel, { maxRatio: 1 }),
		];
	} finally {
		adapter.close();
		proxy.close();
	}
};

/** Compares 2,000 newest values, each with a lookback of its own, with 500 of them, each with its plan. */
const benchSizes = async (influxd: Influxd, timeSeries: InfluxTimeSeries): Promise<BenchRow> => {
	const variables = Array.from({ length: manyVariables }, (_, index) =>
		makeVariable({ id: index + 1, varsTsdb: { Flow: makeQuery({ calc_topic: `plant/${index}`, calc_time: index + 1 }) } }),
	);
	const time = BigInt(now - 1000) * 1_000_000n;
	await writeLines(influxd, bucket, variables.map((_, index) => `plant/${index} value=${index} ${time}`).join('\n'));
	const read = (some: readonly Variable[]) => () => timeSeries.read(bucket, planOf(some).keys, now);
	const times = await alternate(read(variables), read(variables.slice(0, manyVariables / 4)));
	return ratioRow('InfluxDB: 2,000 newest values of 2,000 lookbacks', '500 of them', times, { maxRatio: 6 });
};

/** Measures the reading engine on a real influxd. Returns no rows, with a message, when this machine cannot run influxd. */
export const benchInflux = async (): Promise<readonly BenchRow[]> => {
	const influxd = await startInfluxd();
	if ('unavailable' in influxd) {
		console.error(`BENCHMARKS ON INFLUXDB ARE SKIPPED: ${influxd.unavailable}.`);
		return [];
	}
	const options: InfluxConnectionOptions = {
		...influxd,
		token: staticSecret(influxd.token),
		topicColumn: '_measurement',
		gzip: false,
	};
	const adapter = openInfluxAt(options);
	try {
		await writeSamples(influxd);
		return [
			...(await benchHandwritten(influxd, adapter)),
			...(await benchNetwork(influxd, options)),
			await benchSizes(influxd, adapter),
			...(await benchSpans(influxd, options)),
			...(await benchTopics(influxd, options)),
			...(await benchAlarmTick(influxd, adapter)),
			...(await benchResponse()),
		];
	} finally {
		adapter.close();
		await influxd.stop();
	}
};
