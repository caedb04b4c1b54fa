import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../sqlite/sqlite-database.ts';

/** Raised with every change of the tables that older code could not work with. */
const version = 1;

/**
 * `series.types`: every type that its samples ever had, as bits; what spares a read from looking at each sample's.
 * `sample`: clustered by series and time, so that the newest value is one seek and a window one range. `time` in ns.
 * `span`: the windows of the read under way, in this connection's memory.
 */
const tables = `
	CREATE TABLE IF NOT EXISTS series (
		id INTEGER PRIMARY KEY, database TEXT NOT NULL, measurement TEXT NOT NULL, field TEXT NOT NULL, tags TEXT NOT NULL,
		types INTEGER NOT NULL, UNIQUE (database, measurement, field, tags)
	) STRICT;
	CREATE TABLE IF NOT EXISTS tag (
		series INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (series, key)
	) STRICT, WITHOUT ROWID;
	CREATE INDEX IF NOT EXISTS tag_by_value ON tag (key, value);
	CREATE TABLE IF NOT EXISTS sample (
		series INTEGER NOT NULL, time INTEGER NOT NULL, value REAL, kind INTEGER NOT NULL, PRIMARY KEY (series, time)
	) STRICT, WITHOUT ROWID;
	PRAGMA user_version = ${version};
	PRAGMA temp_store = MEMORY;
	CREATE TEMP TABLE span (place INTEGER PRIMARY KEY, start INTEGER NOT NULL, stop INTEGER NOT NULL);
`;

/** Opens the database of series and makes its tables. Throws where the file is none, or of a later version. */
export function openTables(file: string): DatabaseSync {
	const database = openDatabase(file);
	const stored: unknown = database.prepare('PRAGMA user_version').get()?.['user_version'];
	if (typeof stored !== 'number' || stored > version) {
		database.close();
		throw new Error(`${file} was written by a later version (${stored}, this one knows ${version})`);
	}
	database.exec(tables);
	return database;
}

/** A stored column that must be a number. */
export function numberIn(row: Readonly<Record<string | number, unknown>>, column: string | number): number {
	const value = row[column];
	if (typeof value !== 'number') throw new TypeError(`Column ${column} holds no number but ${typeof value}`);
	return value;
}

const maxInt64 = 2n ** 63n - 1n;

/** Epoch milliseconds as the nanoseconds of an int64 column; beyond its range, the nearest that it holds. */
export function toNs(timeMs: number): bigint {
	const timeNs = BigInt(timeMs) * 1_000_000n;
	return timeNs > maxInt64 ? maxInt64 : timeNs < -maxInt64 ? -maxInt64 : timeNs;
}

/** SQL for the whole milliseconds of a column of nanoseconds, rounded down before 1970 too. */
export function msOf(column: string): string {
	return `CASE WHEN ${column} >= 0 THEN ${column} / 1000000 ELSE -((-(${column} + 1)) / 1000000) - 1 END`;
}
