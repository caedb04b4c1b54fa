import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../sqlite/sqlite-database.ts';

/**
 * `bucket`: the databases that samples may be written to. A database stays in it when its last sample is deleted. `series.types`: every
 * type that the samples of the series ever had, as bits, so that a read need not look at each sample's kind. `sample`: clustered by
 * series and time (nanoseconds), so that the newest value is one seek and a window is one range. `span`: the windows of the current
 * read; only in the memory of this connection. The INSERT fills `bucket` in files from before it existed.
 */
const tables = `
	CREATE TABLE IF NOT EXISTS bucket (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
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
	INSERT OR IGNORE INTO bucket SELECT DISTINCT database FROM series;
	PRAGMA temp_store = MEMORY;
	CREATE TEMP TABLE span (place INTEGER PRIMARY KEY, start INTEGER NOT NULL, stop INTEGER NOT NULL);
`;

/** Opens the database of series and creates its tables. Throws as `openDatabase`. */
export function openSeriesTables(file: string): DatabaseSync {
	const database = openDatabase(file);
	database.exec(tables);
	return database;
}

/** Returns a number of a stored row. @throws TypeError when the column is not a number */
export function numberIn(row: Readonly<Record<string | number, unknown>>, column: string | number): number {
	const value = row[column];
	if (typeof value !== 'number') throw new TypeError(`Column ${column} is not a number but ${typeof value}`);
	return value;
}

const nsPerMs = 1_000_000n;

const maxInt64 = 2n ** 63n - 1n;

/** Converts epoch milliseconds to nanoseconds for an int64 column. A time beyond its range becomes the nearest one in it. */
export function toNs(timeMs: number): bigint {
	const timeNs = BigInt(timeMs) * nsPerMs;
	if (timeNs > maxInt64) return maxInt64;
	return timeNs < -maxInt64 ? -maxInt64 : timeNs;
}

/** Converts nanoseconds since 1970, which may not be negative, to whole epoch milliseconds. */
export function toMs(timeNs: bigint): number {
	return Number(timeNs / nsPerMs);
}
