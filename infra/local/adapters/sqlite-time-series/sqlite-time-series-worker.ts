/** The worker thread of `openSqliteTimeSeries`. It owns the database. */
import { workerData } from 'node:worker_threads';
import { dayMs } from '#domain/milliseconds.ts';
import type { SampleKey } from '#domain/ports/sample-reader.ts';
import type { SeriesKey, SeriesResult } from '#domain/ports/time-series.ts';
import type { CatalogSeries } from '#domain/ports/topic-catalog.ts';
import type { SeriesOfQuery } from '#domain/variable/series-of-query.ts';
import type { Range } from '#domain/variable/window.ts';
import { prepareCatalog } from './catalog.ts';
import { readSeries } from './read.ts';
import { prepareSamples, type SamplePart } from './sample-part.ts';
import { readSpanPart, type SpanPart, type SpanPartRequest } from './span-part.ts';
import { prepareStatements, type SqliteTimeSeriesOptions } from './statements.ts';
import { openSeriesTables } from './tables.ts';
import { serveCalls } from './worker-calls.ts';
import { createBuckets, createSampleWriter, createSweeper } from './write.ts';

const options: SqliteTimeSeriesOptions = workerData;
const sqlite = openSeriesTables(options.file);
const statements = prepareStatements(sqlite, options);
const samples = prepareSamples(sqlite, statements);
const catalog = prepareCatalog(sqlite, statements, options);
const writer = createSampleWriter(sqlite, options.shardMs ?? 7 * dayMs);
const buckets = createBuckets(sqlite);

const functions = {
	/** Answers the first call, which waits until the database is open. */
	ready: (): void => undefined,
	read: (database: string, keys: readonly SeriesKey[], now: number): readonly SeriesResult[] =>
		onOneState(() => readSeries(statements, database, keys, now)),
	readSpanPart: (database: string, request: SpanPartRequest): SpanPart =>
		onOneState(() => readSpanPart(statements, database, request)),
	countSamples: (database: string, keys: readonly SampleKey[]): readonly number[] =>
		onOneState(() => samples.countSamples(database, keys)),
	readSamplePart: (database: string, key: SampleKey): SamplePart => onOneState(() => samples.readSamplePart(database, key)),
	topics: (database: string): readonly string[] => onOneState(() => catalog.topics(database)),
	newest: (database: string, topics: readonly string[], now: number): readonly CatalogSeries[] =>
		onOneState(() => catalog.newest(database, topics, now)),
	newestTimes: (
		database: string,
		series: readonly SeriesOfQuery[],
		range: Range,
		count: number,
	): readonly (readonly number[])[] => onOneState(() => catalog.newestTimes(database, series, range, count)),
	write: writer.write,
	hasBucket: buckets.has,
	createBucket: buckets.create,
	sweep: createSweeper(sqlite, writer.forgetSeries),
	close: () => sqlite.close(),
};

/** The calls that the thread serves. */
export type SeriesFunctions = typeof functions;

serveCalls(functions);

/** Runs a read on one state of the database. */
function onOneState<Result>(work: () => Result): Result {
	sqlite.exec('BEGIN');
	try {
		return work();
	} finally {
		// Nothing is lost: a read writes only its windows, into a temporary table. After some faults SQLite has already rolled back.
		if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
	}
}
