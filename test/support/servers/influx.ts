import { randomUUID } from 'node:crypto';
import { describe, inject } from 'vitest';
import {
	createInfluxTimeSeries,
	type InfluxTimeSeries,
	type InfluxTimeSeriesOptions,
} from '#adapters/influx/influx-time-series.ts';
import { staticSecret } from '#adapters/secret.ts';
import type { OpenTimeSeries } from '#test/contract/time-series/feed.ts';
import { createBucket, type InfluxdAccess, writeLines } from './influxd.ts';

/** `describe`, skipped where InfluxDB cannot be had. */
export const describeInflux = describe.skipIf(inject('influxd') === null);

/** The InfluxDB of the proofs. */
export const influxd = (): InfluxdAccess => {
	const access = inject('influxd');
	if (access === null) throw new Error('There is no influxd.');
	return access;
};

/** A bucket of its own. */
export const newBucket = async (): Promise<string> => {
	const name = `proof-${randomUUID()}`;
	await createBucket(influxd(), name);
	return name;
};

/** The adapter on the proofs' InfluxDB. */
export const openInflux = (options: Partial<InfluxTimeSeriesOptions> = {}): InfluxTimeSeries =>
	createInfluxTimeSeries({ ...influxd(), token: staticSecret(influxd().token), topicColumn: '_measurement', ...options });

/** The adapter as the contract suite opens it. Its databases' names are made unique: one InfluxDB serves every suite. */
export const openForContract = async (options: Partial<InfluxTimeSeriesOptions> = {}): Promise<OpenTimeSeries> => {
	const series = openInflux(options);
	const suffix = randomUUID();
	const buckets = new Map<string, Promise<void>>();
	const bucketOf = (database: string): string => `${database}-${suffix}`;
	return {
		timeSeries: { read: (database, keys, now) => series.read(bucketOf(database), keys, now) },
		write: async (database, lines) => {
			const bucket = bucketOf(database);
			const made = buckets.get(bucket) ?? createBucket(influxd(), bucket);
			buckets.set(bucket, made);
			await made;
			await writeLines(influxd(), bucket, lines);
		},
		close: async () => series.close(),
	};
};

const topicPattern = /^[^,]+,topic=((?:\\[,= ]|[^,= ])+)/;

/**
 * The adapter with topics in a tag, each topic in a bucket of its own: a measurement's field has one type a week, and the contract
 * writes every type to one field.
 */
export const openByTopic = async (options: Partial<InfluxTimeSeriesOptions> = {}): Promise<OpenTimeSeries> => {
	const opened = await openForContract(options);
	const written = new Set<string>();
	const databaseOf = (database: string, topic: string): string => `${database}-${Buffer.from(topic).toString('hex')}`;
	return {
		...opened,
		timeSeries: {
			read: async (database, keys, now) => {
				const results = keys.map(async (key) => {
					const own = databaseOf(database, key.topic);
					return opened.timeSeries.read(written.has(own) ? own : database, [key], now);
				});
				return (await Promise.all(results)).flat();
			},
		},
		write: async (database, lines) => {
			const topic = topicPattern.exec(lines)?.[1]?.replace(/\\([,= ])/g, '$1') ?? '';
			const own = databaseOf(database, topic);
			written.add(own);
			await opened.write(own, lines);
			await opened.write(database, 'none,topic=none value=1 1');
		},
	};
};
