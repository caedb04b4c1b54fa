import type { DatabaseSync } from 'node:sqlite';
import { createLruCache } from '#domain/lru-cache.ts';
import { parseTags } from '../line-protocol/point.ts';
import { inTransaction } from '../sqlite/sqlite-database.ts';
import { typeBitOf } from './kinds.ts';
import type { PackedPoints, SeriesName } from './pack.ts';
import { numberIn } from './tables.ts';

/** Series whose ids are cached; a plant has some thousands. */
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
