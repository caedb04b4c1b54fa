import { InfluxDB } from '@influxdata/influxdb-client';
import type { InfluxConnectionOptions } from '#adapters/influx/influx-connection.ts';
import type { SpanAggregate, SpanKey } from '#domain/ports/span-reader.ts';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import { createBucket, type Influxd, writeLines } from '#test/support/servers/influxd.ts';
import { type InfluxTimeSeries, openInfluxAt } from '#test/support/servers/open-influx.ts';
import { alternate, type BenchRow, ratioRow, sizeOf } from './row.ts';

const bucket = 'spans';
const topics = Array.from({ length: 10 }, (_, index) => `year/${index}`);
const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
const start = Date.UTC(2025, 0, 1);
const end = Date.UTC(2026, 0, 1);
/** Between samples of a year. */
const stepMs = sizeOf(10, 360) * minuteMs;
const linesPerWrite = 10_000;
const rounds = sizeOf(9, 1);
/** `location` is not pushed down: one read takes ten times as long as ours. */
const locationRounds = sizeOf(2, 1);

/** Summer time in Madrid in 2025. */
const summer = [Date.UTC(2025, 2, 30, 1), Date.UTC(2025, 9, 26, 1)] as const;
const offsetAt = (time: number): number => (time >= summer[0] && time < summer[1] ? 2 * hourMs : hourMs);
/** Returns the time when it is midnight in Madrid; the clock changes later in the day. */
const inMadrid = (midnightUtc: number): number => midnightUtc - offsetAt(midnightUtc - hourMs);

const every = (stepLength: number, from: number, to: number): readonly number[] =>
	Array.from({ length: Math.floor((to - from) / stepLength) + 1 }, (_, index) => from + index * stepLength);
const monthsUtc = Array.from({ length: 13 }, (_, month) => Date.UTC(2025, month, 1));
const daysUtc = every(dayMs, start, end);
/** Cuts windows of a zone to the year in UTC, as a request does. */
const within = (times: readonly number[]): readonly number[] => [
	start,
	...times.filter((time) => time > start && time < end),
	end,
];

const spansOf = (bounds: readonly number[], aggregates: readonly SpanAggregate[], slotMs?: number): readonly SpanKey[] =>
	topics.map((topic) => ({ topic, field: 'value', bounds, aggregates, ...(slotMs === undefined ? {} : { slotMs }) }));

const compared = (ours: () => Promise<unknown>, theirs: () => Promise<unknown>) => alternate(ours, theirs, rounds);

const writeYear = async (influxd: Influxd): Promise<void> => {
	await createBucket(influxd, bucket);
	for (const [index, topic] of topics.entries()) {
		const times = every(stepMs, start, end - stepMs);
		for (let from = 0; from < times.length; from += linesPerWrite) {
			const lines = times
				.slice(from, from + linesPerWrite)
				.map((time, step) => `${topic} value=${((step * 37 + index) % 1000) / 7} ${BigInt(time) * 1_000_000n}`);
			await writeLines(influxd, bucket, lines.join('\n'));
		}
	}
};

const locationQuery = `import "timezone"
option location = timezone.location(name: "Europe/Madrid")
from(bucket: "${bucket}")
  |> range(start: ${new Date(start).toISOString()}, stop: ${new Date(end).toISOString()})
  |> filter(fn: (r) => (${topics.map((topic) => `r._measurement == "${topic}"`).join(' or ')}) and r._field == "value")
  |> aggregateWindow(every: 1mo, fn: max, createEmpty: false)
  |> keep(columns: ["_time", "_value", "_measurement"])`;

const benchWindows = async (influxd: Influxd, adapter: InfluxTimeSeries): Promise<readonly BenchRow[]> => {
	const read = (...spans: Parameters<typeof spansOf>) => {
		const keys = spansOf(...spans);
		return () => adapter.readSpans(bucket, keys);
	};
	const api = new InfluxDB(influxd).getQueryApi(influxd.org);
	const hours = every(hourMs, start, start + 90 * dayMs);
	const slots = every(60 * stepMs, start, end);
	const days = within(daysUtc.map(inMadrid));
	const months = within(monthsUtc.map(inMadrid));
	const max = read(months, ['max']);
	const pairs = [
		['3 aggregates of 1 h', '1 aggregate', await compared(read(hours, ['mean', 'min', 'max']), read(hours, ['mean'])), 3.5],
		['days in a zone', 'days in UTC', await compared(read(days, ['mean']), read(daysUtc, ['mean'])), 2.5],
		['months in a zone', 'months in UTC', await compared(max, read(monthsUtc, ['max'])), 5],
		['coverage, 60 slots a window', '1 aggregate', await compared(read(slots, ['slots'], stepMs), read(slots, ['max'])), 8],
		['months in a zone', 'Flux with location', await alternate(max, () => api.collectRows(locationQuery), locationRounds), 0.6],
	] as const;
	return pairs.map(([name, baseline, times, maxRatio]) =>
		ratioRow(`InfluxDB, 10 series of a year: ${name}`, baseline, times, { maxRatio }),
	);
};

const countOfNewest = sizeOf(2000, 40);

/** Compares the first read of means in an adapter with its second, and many newest values with a quarter of them. */
const benchFirst = async (influxd: Influxd, adapter: InfluxTimeSeries, options: InfluxConnectionOptions) => {
	const now = end;
	const names = Array.from({ length: countOfNewest }, (_, index) => `newest/${index}`);
	await writeLines(influxd, bucket, names.map((name) => `${name} value=1.5 ${BigInt(now - minuteMs) * 1_000_000n}`).join('\n'));
	const newest = names.map((topic): SeriesKey => ({ read: 'newest', topic, field: 'value', lookback: { ms: hourMs } }));
	const quarter = newest.slice(0, countOfNewest / 4);
	const means = newest.slice(0, 40).map(
		({ topic }, index): SeriesKey => ({
			read: 'history',
			topic: topics[index] ?? topic,
			field: 'value',
			lookback: { ms: 30 * dayMs },
			period: { ms: hourMs },
			aggregate: 'mean',
		}),
	);
	const first = async (): Promise<void> => {
		const cold = openInfluxAt(options);
		await cold.read(bucket, means, now);
		cold.close();
	};
	const firstTimes = await compared(first, () => adapter.read(bucket, means, now));
	const newestTimes = await compared(
		() => adapter.read(bucket, newest, now),
		() => adapter.read(bucket, quarter, now),
	);
	return [
		ratioRow('InfluxDB: first read of 40 means', 'the second', firstTimes, { maxRatio: 3 }),
		ratioRow('InfluxDB: 2,000 newest values', '500 newest values', newestTimes, { maxRatio: 6 }),
	];
};

/** Measures spans over a year of 10 series, first reads, and large batches of newest values. */
export const benchSpans = async (influxd: Influxd, options: InfluxConnectionOptions): Promise<readonly BenchRow[]> => {
	await writeYear(influxd);
	const adapter = openInfluxAt(options);
	try {
		return [...(await benchWindows(influxd, adapter)), ...(await benchFirst(influxd, adapter, options))];
	} finally {
		adapter.close();
	}
};
