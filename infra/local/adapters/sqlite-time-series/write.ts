import type { DatabaseSync } from 'node:sqlite';
import { createLruCache } from '#domain/lru-cache.ts';
import { parseTags } from '../line-protocol/point.ts';
import { inTransaction } from '../sqlite/sqlite-database.ts';
import { createFieldTypes, type LinesByReason } from './field-types.ts';
import { typeBitOf } from './kinds.ts';
import type { PackedPoints, SeriesName } from './pack.ts';
import { numberIn, toNs } from './tables.ts';

/** Most series ids in the cache. A plant has some thousands of series. */
const maxCachedIds = 100_000;

/** Creates the writer of the tables of `openTables`. @param shardMs within how many milliseconds a field keeps its type */
export function createSampleWriter(sqlite: DatabaseSync, shardMs: number) {
	const seriesIds = createSeriesIds(sqlite);
	const fieldTypes = createFieldTypes(sqlite, shardMs);
	const addTypes = sqlite.prepare('UPDATE series SET types = types | ?2 WHERE id = ?1 AND types | ?2 <> types');
	const put = sqlite.prepare(
		`INSERT INTO sample (series, time, value, kind) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET value = excluded.value, kind = excluded.kind`,
	);
	const addBucket = sqlite.prepare('INSERT OR IGNORE INTO bucket VALUES (?)');

	const forget = (): void => {
		seriesIds.forget();
		fieldTypes.forget();
	};

	const writeAll = (database: string, packed: PackedPoints, lines: readonly number[] = []): LinesByReason => {
		const { names, series, timesNs, values, kinds } = packed;
		addBucket.run(database);
		const { linesByReason, isRefused } = fieldTypes.refusedOf(database, packed, lines);
		const ids: number[] = [];
		/** The types of the points of each series, as `typeBits`. */
		const types = new Uint8Array(names.length);
		for (const [index, nameIndex] of series.entries()) {
			if (isRefused[index] === 1) continue;
			const [name, timeNs, value, kind] = [names[nameIndex], timesNs[index], values[index], kinds[index]];
			if (name === undefined || timeNs === undefined || value === undefined || kind === undefined)
				throw new RangeError(`Packed points end before point ${index}`);
			const id = ids[nameIndex] ?? seriesIds.findOrAdd(database, name);
			ids[nameIndex] = id;
			put.run(id, timeNs, Number.isNaN(value) ? null : value, kind);
			types[nameIndex] = (types[nameIndex] ?? 0) | typeBitOf(kind);
		}
		// A series whose points were all refused has no id.
		for (const [nameIndex, id] of Object.entries(ids)) addTypes.run(id, types[Number(nameIndex)] ?? 0);
		return linesByReason;
	};

	return {
		/**
		 * Stores points in one transaction. A point replaces a stored one of the same series and time.
		 * @param lines the number of each point's line: lines that InfluxDB would refuse are not stored. Left out: all points are stored
		 * @returns the lines that were refused
		 */
		write(database: string, packed: PackedPoints, lines?: readonly number[]): LinesByReason {
			try {
				return inTransaction(sqlite, () => writeAll(database, packed, lines));
			} catch (error) {
				// The ids of series that were rolled back are not valid, nor are the types of their fields.
				forget();
				throw error;
			}
		},
		/** Clears what is cached of series. Has to be called when rows of `series` were deleted. */
		forgetSeries: forget,
	};
}

/** Creates the functions that look up the ids of series, with a cache. */
function createSeriesIds(sqlite: DatabaseSync) {
	const find = sqlite.prepare('SELECT id FROM series WHERE database = ? AND measurement = ? AND field = ? AND tags = ?');
	const add = sqlite.prepare(
		'INSERT INTO series (database, measurement, field, tags, types) VALUES (?, ?, ?, ?, 0) RETURNING id',
	);
	const addTag = sqlite.prepare('INSERT INTO tag (series, key, value) VALUES (?, ?, ?)');
	let cache = createLruCache<string, number>(maxCachedIds);

	const addSeries = (database: string, { measurement, field, tags }: SeriesName): number => {
		const id = numberIn(add.get(database, measurement, field, tags) ?? {}, 'id');
		for (const [key, value] of parseTags(tags)) addTag.run(id, key, value);
		return id;
	};
	return {
		/** Returns the id of a series, which it adds where the table lacks it. */
		findOrAdd(database: string, name: SeriesName): number {
			const { measurement, field, tags } = name;
			const key = JSON.stringify([database, measurement, field, tags]);
			const cached = cache.get(key);
			if (cached !== undefined) return cached;
			const stored = find.get(database, measurement, field, tags);
			const id = stored === undefined ? addSeries(database, name) : numberIn(stored, 'id');
			cache.set(key, id);
			return id;
		},
		/** Clears the cache. */
		forget(): void {
			cache = createLruCache(maxCachedIds);
		},
	};
}

/** Creates the functions that find and create the databases that samples may be written to. */
export function createBuckets(sqlite: DatabaseSync) {
	const find = sqlite.prepare('SELECT 1 FROM bucket WHERE name = ?');
	const add = sqlite.prepare('INSERT OR IGNORE INTO bucket VALUES (?)');
	return {
		has: (name: string): boolean => find.get(name) !== undefined,
		/** Returns false when a database of that name exists. */
		create: (name: string): boolean => add.run(name).changes > 0,
	};
}

/** Most samples that one step of a sweep deletes, and most series that it looks at. A step takes some milliseconds, so that reads can run. */
const maxDeleted = 5000;
const maxSeries = 500;

/**
 * Creates a function that deletes samples older than `before` (epoch milliseconds), and series without samples, in one small
 * transaction. It begins with the series after id `after`. It returns the number of deleted samples and the `after` of the next step,
 * which is null at the end.
 * @param onSeriesDeleted called when a row of `series` was deleted
 */
export function createSweeper(sqlite: DatabaseSync, onSeriesDeleted: () => void) {
	const nextSeries = sqlite.prepare(`SELECT id FROM series WHERE id > ? ORDER BY id LIMIT ${maxSeries}`);
	/** Of the samples to delete, the first one that is too many for this step. */
	const firstBeyond = sqlite.prepare('SELECT time FROM sample WHERE series = ? AND time < ? ORDER BY time LIMIT 1 OFFSET ?');
	firstBeyond.setReadBigInts(true);
	const remove = sqlite.prepare('DELETE FROM sample WHERE series = ? AND time < ?');
	const anySample = sqlite.prepare('SELECT 1 FROM sample WHERE series = ? LIMIT 1');
	const removeTags = sqlite.prepare('DELETE FROM tag WHERE series = ?');
	const removeSeries = sqlite.prepare('DELETE FROM series WHERE id = ?');

	return (before: number, after: number): { readonly deleted: number; readonly next: number | null } =>
		inTransaction(sqlite, () => {
			const beforeNs = toNs(before);
			const ids = nextSeries.all(after).map((row) => numberIn(row, 'id'));
			let deleted = 0;
			for (const id of ids) {
				const limitNs: unknown = firstBeyond.get(id, beforeNs, maxDeleted - deleted)?.['time'];
				deleted += Number(remove.run(id, typeof limitNs === 'bigint' ? limitNs : beforeNs).changes);
				// This series has more samples to delete, so the next step begins with it again.
				if (typeof limitNs === 'bigint') return { deleted, next: id - 1 };
				if (anySample.get(id) !== undefined) continue;
				removeTags.run(id);
				removeSeries.run(id);
				onSeriesDeleted();
			}
			return { deleted, next: ids.length < maxSeries ? null : (ids.at(-1) ?? null) };
		});
}
