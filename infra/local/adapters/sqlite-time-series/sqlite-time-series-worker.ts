/** The worker thread of `openSqliteTimeSeries`. It owns the database. */
import { workerData } from 'node:worker_threads';
import type { SeriesKey, SeriesResult } from '#domain/ports/time-series.ts';
import { readSeries } from './read.ts';
import { prepareStatements, type SqliteTimeSeriesOptions } from './statements.ts';
import { createSweeper } from './sweep.ts';
import { openTables } from './tables.ts';
import { serveCalls } from './worker-calls.ts';
import { createSampleWriter } from './write.ts';

const options: SqliteTimeSeriesOptions = workerData;
const sqlite = openTables(options.file);
const statements = prepareStatements(sqlite, options);
const writer = createSampleWriter(sqlite);

const functions = {
	/** Returns once the database is open. */
	ready: (): void => undefined,
	read(database: string, keys: readonly SeriesKey[], now: number): readonly SeriesResult[] {
		sqlite.exec('BEGIN');
		try {
			return readSeries(statements, database, keys, now);
		} finally {
			// A read writes only windows, into a temporary table. After some faults SQLite itself has rolled back.
			if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
		}
	},
	write: writer.write,
	sweep: createSweeper(sqlite, writer.forgetSeries),
	close: () => sqlite.close(),
};

/** The calls that the thread serves. */
export type SeriesFunctions = typeof functions;

serveCalls(functions);
