import { Worker } from 'node:worker_threads';
import type { SampleReader, SamplesResult } from '#domain/ports/sample-reader.ts';
import type { SpanReader, SpanResult } from '#domain/ports/span-reader.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';
import type { TopicCatalog } from '#domain/ports/topic-catalog.ts';
import type { Point, RefusedLines } from '../line-protocol/point.ts';
import { pack, valueOrCreate } from './pack.ts';
import { readSpan } from './read-span.ts';
import { readSamplesOf } from './sample-part.ts';
import type { SeriesFunctions } from './sqlite-time-series-worker.ts';
import type { SqliteTimeSeriesOptions } from './statements.ts';
import { workerCalls } from './worker-calls.ts';

/**
 * `TimeSeries`, `SpanReader`, `SampleReader` and `TopicCatalog` in SQLite, for one machine, with the functions that store and delete samples.
 * Every call rejects as `read` does.
 */
export interface SqliteTimeSeries extends TimeSeries, SpanReader, SampleReader, TopicCatalog {
	/** Returns whether a database was written to or created before. */
	hasBucket(database: string): Promise<boolean>;
	/** Creates an empty database. Returns false when a database of that name exists. */
	createBucket(database: string): Promise<boolean>;
	/**
	 * Stores points, and creates their database. A point replaces a stored one of the same series and time. Once this resolves, the
	 * points survive a kill of the process. Many points are stored in several steps, so that reads can run in between. After a failure,
	 * the points of the first steps may be stored.
	 */
	write(database: string, points: readonly Point[]): Promise<void>;
	/**
	 * Stores the points of lines as `write` does, but no line that InfluxDB would refuse: it refuses a line as a whole.
	 * @param lines the number of each point's line, ascending
	 * @returns what was refused
	 */
	writeLines(database: string, points: readonly Point[], lines: readonly number[]): Promise<readonly RefusedLines[]>;
	/**
	 * Deletes all samples older than `before` (epoch milliseconds) in every database, in steps of some milliseconds each.
	 * @returns the number of deleted samples
	 */
	sweep(before: number): Promise<number>;
	/** Ends the thread after the calls under way. May be called again. */
	close(): Promise<void>;
}

/** Most points of one step, which takes about 20 ms. */
const pointsPerStep = 20_000;

/**
 * Opens a database of series, or creates it, in a worker thread, so that reads and writes do not block the event loop
 * (infra/local/README.md#time-series).
 * @throws DomainError `dependency_failed` when the file cannot be opened
 */
export async function openSqliteTimeSeries(options: SqliteTimeSeriesOptions): Promise<SqliteTimeSeries> {
	const worker = new Worker(new URL('./sqlite-time-series-worker.ts', import.meta.url), { workerData: options });
	const { call, close } = workerCalls<SeriesFunctions>(worker);
	await call('ready');
	return {
		read: (database, keys, now) => call('read', database, keys, now),
		readSpans: async (database, keys) => {
			const results: SpanResult[] = [];
			for (const key of keys) results.push(await readSpan((request) => call('readSpanPart', database, request), key));
			return results;
		},
		countSamples: (database, keys) => call('countSamples', database, keys),
		readSamples: async (database, keys) => {
			const results: SamplesResult[] = [];
			for (const key of keys) results.push(await readSamplesOf((part) => call('readSamplePart', database, part), key));
			return results;
		},
		topics: (database) => call('topics', database),
		newest: (...parameters) => call('newest', ...parameters),
		newestTimes: (...parameters) => call('newestTimes', ...parameters),
		hasBucket: (database) => call('hasBucket', database),
		createBucket: (database) => call('createBucket', database),
		write: async (database, points) => {
			for (let from = 0; from < points.length; from += pointsPerStep)
				await call('write', database, pack(points.slice(from, from + pointsPerStep)));
		},
		writeLines: async (database, points, lines) => {
			const refused = new Map<string, number[]>();
			for (let from = 0, end = 0; from < points.length; from = end) {
				end = Math.min(from + pointsPerStep, points.length);
				// A line is not divided.
				while (end < points.length && lines[end] === lines[end - 1]) end += 1;
				const step = await call('write', database, pack(points.slice(from, end)), lines.slice(from, end));
				for (const [reason, numbers] of step) for (const line of numbers) valueOrCreate(refused, reason, () => []).push(line);
			}
			return Array.from(refused, ([reason, numbers]) => ({ reason, dropped: numbers.length, lines: numbers }));
		},
		sweep: async (before) => {
			let total = 0;
			/** The id of the series after which the next step begins; null at the end. */
			let after: number | null = 0;
			while (after !== null) {
				const step: ReturnType<SeriesFunctions['sweep']> = await call('sweep', before, after);
				total += step.deleted;
				after = step.next;
			}
			return total;
		},
		close,
	};
}
