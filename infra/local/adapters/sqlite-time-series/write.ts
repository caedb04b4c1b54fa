import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { inTransaction } from '../sqlite/sqlite-database.ts';
import { typeBit } from './kinds.ts';
import type { PackedPoints, SeriesName } from './pack.ts';
import { numberIn } from './tables.ts';

const tagsSchema = v.pipe(v.string(), v.parseJson(), v.array(v.tuple([v.string(), v.string()])));

/** Ids kept in memory; a plant has some thousands of series. */
const maxKeptIds = 100_000;

export interface SampleWriter {
	/** Stores all points in one transaction; a sample of the same series and time is overwritten. */
	write(database: string, packed: PackedPoints): void;
	/** To be called when rows of `series` were deleted. */
	forgetSeries(): void;
}

/** Writes into the tables of `openTables`. */
export function createSampleWriter(sqlite: DatabaseSync): SampleWriter {
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
	const ids = new Map<string, number>();

	const create = (database: string, { measurement, field, tags }: SeriesName): number => {
		const id = numberIn(add.get(database, measurement, field, tags) ?? {}, 'id');
		for (const [key, value] of v.parse(tagsSchema, tags)) addTag.run(id, key, value);
		return id;
	};
	const idOf = (database: string, name: SeriesName): number => {
		const { measurement, field, tags } = name;
		const key = JSON.stringify([database, measurement, field, tags]);
		const kept = ids.get(key);
		if (kept !== undefined) return kept;
		const found = find.get(database, measurement, field, tags);
		const id = found === undefined ? create(database, name) : numberIn(found, 'id');
		if (ids.size >= maxKeptIds) ids.clear();
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
			types[place] = (types[place] ?? 0) | typeBit(kind);
		}
		for (const [place, id] of seriesIds.entries()) addTypes.run(id, types[place] ?? 0);
	};

	return {
		write: (database, packed) => {
			try {
				inTransaction(sqlite, () => writeAll(database, packed));
			} catch (error) {
				// Ids of series that were rolled back name nothing.
				ids.clear();
				throw error;
			}
		},
		forgetSeries: () => ids.clear(),
	};
}
