import type { DatabaseSync } from 'node:sqlite';
import { createLruCache } from '#domain/lru-cache.ts';
import { parseTags } from '../line-protocol/point.ts';
import { inTransaction } from '../sqlite/sqlite-database.ts';
import { typeBitOf } from './kinds.ts';
import type { PackedPoints, SeriesName } from './pack.ts';
import { numberIn, toNs } from './tables.ts';

/** Most series ids in the cache. A plant has some thousands of series. */
const maxCachedIds = 100_000;

/** Creates the writer of the tables of `openTables`. */
export function createSampleWriter(sqlite: DatabaseSync) {
	const find = sqlite.prepare('SELECT id FROM series WHERE database = ? AND measurement = ? AND field = ? AND tags = ?');
	const add = sqlite.prepare(
		'INSERT INTO series (database, measurement, field, tags, types) VALUES (?, ?, ?, ?, 0) RETURNING id',
	);
	const addTag = sqlite.prepare('INSERT INTO tag (series, key, value) VALUES (?, ?, ?)');
	const addTypes = sqlite.prepare('UPDATE series SET types = types | ?2 WHERE id = ?1 AND types | ?2 <> types');
	const put = sqlite.prepare(
		`INSERT INTO sample (series, time, value, kind) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET value = excluded.value, kind = excluded.kind`,
	);
	const addBucket = sqlite.prepare('INSERT OR IGNORE INTO bucket VALUES (?)');
	let ids = createLruCache<string, number>(maxCachedIds);
	const forgetSeries = (): void => {
		ids = createLruCache(maxCachedIds);
	};

	const create = (database: string, { measurement, field, tags }: SeriesName): number => {
		const id = numberIn(add.get(database, measurement, field, tags) ?? {}, 'id');
		for (const [key, value] of parseTags(tags)) addTag.run(id, key, value);
		return id;
	};
	const idOf = (database: string, name: SeriesName): number => {
		const { measurement, field, tags } = name;
		const key = JSON.stringify([database, measurement, field, tags]);
		const cached = ids.get(key);
		if (cached !== undefined) return cached;
		const found = find.get(database, measurement, field, tags);
		const id = found === undefined ? create(database, name) : numberIn(found, 'id');
		ids.set(key, id);
		return id;
	};
	const writeAll = (database: string, { names, series, timesNs, values, kinds }: PackedPoints): void => {
		addBucket.run(database);
		const seriesIds = names.map((name) => idOf(database, name));
		const types = new Uint8Array(names.length);
		for (const [index, place] of series.entries()) {
			const [id, timeNs, value, kind] = [seriesIds[place], timesNs[index], values[index], kinds[index]];
			if (id === undefined || timeNs === undefined || value === undefined || kind === undefined)
				throw new RangeError(`Packed points end before point ${index}`);
			put.run(id, timeNs, Number.isNaN(value) ? null : value, kind);
			types[place] = (types[place] ?? 0) | typeBitOf(kind);
		}
		for (const [place, id] of seriesIds.entries()) addTypes.run(id, types[place] ?? 0);
	};

	return {
		/** Stores all points in one transaction. A point replaces a stored one of the same series and time. */
		write(database: string, packed: PackedPoints): void {
			try {
				inTransaction(sqlite, () => writeAll(database, packed));
			} catch (error) {
				// The ids of series that were rolled back are not valid.
				forgetSeries();
				throw error;
			}
		},
		/** Clears the cached ids. Has to be called when rows of `series` were deleted. */
		forgetSeries,
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

/** Most samples that one step deletes, and most series that it looks at. A step takes some milliseconds, so that reads can run. */
const maxDeleted = 5000;
const maxSeries = 500;

/**
 * Creates a function that deletes samples older than `before` (epoch milliseconds), and series without samples, in one small
 * transaction. It begins with the series after id `after`. It returns the number of deleted samples and the `after` of the next step,
 * which is null at the end.
 * @param onSeriesDeleted called when a row of `series` was deleted
 */
export function createSweeper(sqlite: DatabaseSync, onSeriesDeleted: () => void) {
	const following = sqlite.prepare(`SELECT id FROM series WHERE id > ? ORDER BY id LIMIT ${maxSeries}`);
	/** The oldest sample that this step must keep. */
	const firstBeyond = sqlite.prepare('SELECT time FROM sample WHERE series = ? AND time < ? ORDER BY time LIMIT 1 OFFSET ?');
	firstBeyond.setReadBigInts(true);
	const remove = sqlite.prepare('DELETE FROM sample WHERE series = ? AND time < ?');
	const anySample = sqlite.prepare('SELECT 1 FROM sample WHERE series = ? LIMIT 1');
	const removeTags = sqlite.prepare('DELETE FROM tag WHERE series = ?');
	const removeSeries = sqlite.prepare('DELETE FROM series WHERE id = ?');

	return (before: number, after: number): { readonly deleted: number; readonly next: number | null } =>
		inTransaction(sqlite, () => {
			const beforeNs = toNs(before);
			const ids = following.all(after).map((row) => numberIn(row, 'id'));
			let deleted = 0;
			for (const id of ids) {
				const limit: unknown = firstBeyond.get(id, beforeNs, maxDeleted - deleted)?.['time'];
				deleted += Number(remove.run(id, typeof limit === 'bigint' ? limit : beforeNs).changes);
				// This series has more samples to delete, so the next step begins with it again.
				if (typeof limit === 'bigint') return { deleted, next: id - 1 };
				if (anySample.get(id) !== undefined) continue;
				removeTags.run(id);
				removeSeries.run(id);
				onSeriesDeleted();
			}
			return { deleted, next: ids.length < maxSeries ? null : (ids.at(-1) ?? null) };
		});
}
