import { randomUUID } from 'node:crypto';
import { describe, inject } from 'vitest';
import type { InfluxConnectionOptions } from '#adapters/influx/influx-connection.ts';
import { staticSecret } from '#adapters/secret.ts';
import type { OpenSampleReader } from '#test/contract/sample-reader.ts';
import type { OpenSpanReader } from '#test/contract/span-reader/span-feed.ts';
import type { OpenTimeSeries } from '#test/contract/time-series/feed.ts';
import type { OpenTopicCatalog } from '#test/contract/topic-catalog.ts';
import { createBucket, deleteBucket, type InfluxdAccess, writeLines } from './influxd.ts';
import { type InfluxTimeSeries, openInfluxAt } from './open-influx.ts';

/** `describe`, skipped when this machine cannot run InfluxDB. */
export const describeInflux = describe.skipIf(inject('influxd') === null);

/** Returns the InfluxDB of the integration tests, or the one of the newest version. */
export function influxd(name: 'influxd' | 'newestInfluxd' = 'influxd'): InfluxdAccess {
	const access = inject(name);
	if (access === null) throw new Error(`There is no ${name}.`);
	return access;
}

/** Creates a bucket for one test and returns its name. */
export async function newBucket(): Promise<string> {
	const name = `test-${randomUUID()}`;
	await createBucket(influxd(), name);
	return name;
}

/** Opens the adapter on the InfluxDB of the integration tests. */
export function openInflux(options: Partial<InfluxConnectionOptions> = {}): InfluxTimeSeries {
	return openInfluxAt({
		...influxd(),
		token: staticSecret(influxd().token),
		topicColumn: '_measurement',
		...options,
	});
}

/** The adapters for the contract suites. */
export type OpenInflux = OpenTimeSeries & OpenSpanReader & OpenSampleReader & OpenTopicCatalog;

/** The deadline of the contract suites. They prove values, on a server that other tests keep busy, too: deadlines have tests of their own. */
export const contractDeadlineMs = 50_000;

/** Opens the adapters for the contract suites. The names of its databases are made unique, because all suites share one InfluxDB. */
export async function openInfluxForContract(
	options: Partial<InfluxConnectionOptions> = {},
	access: InfluxdAccess = influxd(),
): Promise<OpenInflux> {
	const series = openInflux({ ...access, token: staticSecret(access.token), deadlineMs: contractDeadlineMs, ...options });
	return openForContract(series, bucketsOf(access));
}

/** How a server's databases are created, written and deleted. */
export interface TestDatabases {
	create(name: string): Promise<void>;
	write(name: string, lines: string): Promise<void>;
	delete(name: string): Promise<void>;
}

/** The buckets of an InfluxDB 2. */
export const bucketsOf = (access: InfluxdAccess): TestDatabases => ({
	create: (name) => createBucket(access, name),
	write: (name, lines) => writeLines(access, name, lines),
	delete: (name) => deleteBucket(access, name),
});

/** Wraps adapters for the contract suites, with databases that no other test has. */
export function openForContract(series: InfluxTimeSeries, databases: TestDatabases): OpenInflux {
	const suffix = randomUUID();
	const buckets = new Map<string, Promise<void>>();
	const bucketOf = (database: string): string => `${database}-${suffix}`;
	return {
		timeSeries: { read: (database, keys, now) => series.read(bucketOf(database), keys, now) },
		spanReader: { readSpans: (database, keys) => series.readSpans(bucketOf(database), keys) },
		sampleReader: {
			countSamples: (database, keys) => series.countSamples(bucketOf(database), keys),
			readSamples: (database, keys) => series.readSamples(bucketOf(database), keys),
		},
		topicCatalog: {
			topics: (database, now) => series.topics(bucketOf(database), now),
			newest: (database, ...others) => series.newest(bucketOf(database), ...others),
			newestTimes: (database, ...others) => series.newestTimes(bucketOf(database), ...others),
		},
		write: async (database, lines) => {
			const bucket = bucketOf(database);
			const created = buckets.get(bucket) ?? databases.create(bucket);
			buckets.set(bucket, created);
			await created;
			await databases.write(bucket, lines);
		},
		close: async () => {
			series.close();
			for (const bucket of buckets.keys()) await databases.delete(bucket);
		},
	};
}

const topicPattern = /^[^,]+,topic=((?:\\[,= ]|[^,= ])+)/;

/** Opens the adapters with topics in a tag (`readingByTopic`). */
export async function openInfluxByTopic(
	options: Partial<InfluxConnectionOptions> = {},
	access: InfluxdAccess = influxd(),
): Promise<OpenInflux> {
	return readingByTopic(await openInfluxForContract(options, access));
}

/**
 * Puts each topic into its own database. InfluxDB allows one type a week for a field of a measurement,
 * and the contract suite writes every type to one field.
 */
export function readingByTopic(opened: OpenInflux): OpenInflux {
	const written = new Set<string>();
	const databaseOf = (database: string, topic: string): string => `${database}-${Buffer.from(topic).toString('hex')}`;
	/** Reads each key from the bucket of its topic. */
	const each = async <Key extends { readonly topic: string }, Result>(
		database: string,
		keys: readonly Key[],
		readOne: (database: string, key: Key) => Promise<readonly Result[]>,
	): Promise<readonly Result[]> => {
		const results = keys.map((key) => {
			const topicDatabase = databaseOf(database, key.topic);
			return readOne(written.has(topicDatabase) ? topicDatabase : database, key);
		});
		return (await Promise.all(results)).flat();
	};
	return {
		...opened,
		timeSeries: {
			read: (database, keys, now) => each(database, keys, (bucket, key) => opened.timeSeries.read(bucket, [key], now)),
		},
		spanReader: {
			readSpans: (database, keys) => each(database, keys, (bucket, key) => opened.spanReader.readSpans(bucket, [key])),
		},
		sampleReader: {
			countSamples: (database, keys) => each(database, keys, (bucket, key) => opened.sampleReader.countSamples(bucket, [key])),
			readSamples: (database, keys) => each(database, keys, (bucket, key) => opened.sampleReader.readSamples(bucket, [key])),
		},
		write: async (database, lines) => {
			const topic = topicPattern.exec(lines)?.[1]?.replace(/\\([,= ])/g, '$1') ?? '';
			const topicDatabase = databaseOf(database, topic);
			written.add(topicDatabase);
			await opened.write(topicDatabase, lines);
			await opened.write(database, 'none,topic=none value=1 1');
		},
	};
}
