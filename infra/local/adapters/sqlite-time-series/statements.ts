import type { DatabaseSync } from 'node:sqlite';
import { createLruCache } from '#domain/lru-cache.ts';
import { type Aggregate, queryAggregates } from '#domain/variable/aggregates.ts';
import type { SeriesOfQuery } from '#domain/variable/series-of-query.ts';
import { choosesTagSet, measurementTag, sortedTags, type Tags } from '#domain/variable/tags.ts';
import { type Windows, windowEnd } from '#domain/variable/window.ts';
import { parseTags } from '../line-protocol/point.ts';
import { type NamedSqlAggregate, passes, sqlAggregateOf, type WindowRow } from './sql-aggregates.ts';
import { numberIn, toNs } from './tables.ts';

/** The database file and the column that holds topics. */
export interface SqliteTimeSeriesOptions {
	/** A path, or `:memory:`. */
	readonly file: string;
	/** `_measurement`, or the name of a tag. */
	readonly topicColumn: string;
	/** The only measurement that is read when the topic is a tag. Left out: all measurements are read. */
	readonly measurement?: string | undefined;
	/** Within how many milliseconds a field keeps its type (`shardMsOf`). Left out: a week. */
	readonly shardMs?: number;
}

/** One sample: its time in whole milliseconds, and the nanoseconds beyond. `value` is null for a string. */
export interface StoredSample {
	readonly ms: number;
	readonly ns: number;
	readonly value: number | null;
	readonly kind: number;
}

/** A series of a topic and a field. There are several when their tag sets differ. */
export interface Candidate {
	readonly id: number;
	/** Every type that its samples ever had, as `typeBits`. */
	readonly types: number;
	/** Returns its tags in the form of `tagsOf`. */
	readonly tagSet: () => Tags;
}

/** Returns the series that have the given tags. */
export function chosenOf(candidates: readonly Candidate[], tags: Tags | undefined): readonly Candidate[] {
	return tags === undefined ? candidates : candidates.filter(({ tagSet }) => choosesTagSet(tags, tagSet()));
}

/** Most tag sets in the cache: a plant has some thousands of series. */
const maxCachedTagSets = 50_000;

/** Returns whether the topic is a tag, and the parameters of a statement that look for that tag. */
export function topicTagOf({ topicColumn, measurement }: SqliteTimeSeriesOptions) {
	const isTag = topicColumn !== measurementTag;
	return { isTag, tag: isTag ? { key: topicColumn, measurement: measurement ?? null } : {} };
}

/** The statements of reads. */
export type Statements = ReturnType<typeof prepareStatements>;

/** A sum beyond the largest float is computed from values scaled down by this factor. A power of two, so scaling is exact. */
const overflowScale = 2 ** -64;

/**
 * Prepares the statements of reads on the tables of `openTables`. Each window and each newest sample is one seek. Ranges are
 * [start, stop) in epoch milliseconds.
 */
export function prepareStatements(sqlite: DatabaseSync, options: SqliteTimeSeriesOptions) {
	const { isTag, tag } = topicTagOf(options);
	const candidates = sqlite.prepare(
		isTag
			? `SELECT id, types, tags, series.measurement FROM tag JOIN series ON id = series
				WHERE key = :key AND value = :topic AND database = :database AND field = :field
				AND measurement = coalesce(:measurement, measurement) ORDER BY id`
			: 'SELECT id, types, tags, measurement FROM series WHERE database = :database AND measurement = :topic AND field = :field ORDER BY id',
	);
	const tags = sqlite.prepare('SELECT key, value FROM tag WHERE series = ?1 AND key <> ?2');
	const measurementOf = sqlite.prepare('SELECT measurement FROM series WHERE id = ?');
	const tagSets = createLruCache<string, Tags>(maxCachedTagSets);
	/** Returns the tags of a row of `candidates` in the form of `tagsOf`. */
	const tagSetIn = (row: Readonly<Record<string, unknown>>): Tags => {
		const [text, measurement] = [String(row['tags']), String(row['measurement'])];
		const key = isTag ? `${text} ${measurement}` : text;
		const known = tagSets.get(key);
		if (known !== undefined) return known;
		const others = parseTags(text).filter(([name]) => name !== options.topicColumn);
		const tagSet = sortedTags(isTag ? [...others, [measurementTag, measurement]] : others);
		tagSets.set(key, tagSet);
		return tagSet;
	};
	const newest = sqlite.prepare(`
		SELECT time / 1000000 AS ms, time % 1000000 AS ns, value, kind
		FROM sample WHERE series = ? AND time >= ? AND time < ? ORDER BY time DESC LIMIT 1`);
	const kinds = sqlite.prepare('SELECT DISTINCT kind FROM sample WHERE series = ? AND time >= ? AND time < ?');
	const clearWindows = sqlite.prepare('DELETE FROM span');
	const addWindows = sqlite.prepare(`
		INSERT INTO span SELECT key, value, lead(value) OVER (ORDER BY key) FROM json_each(?) ORDER BY key LIMIT ?`);
	/**
	 * The windows that were last put into the table `span`. Nothing resets it when the transaction ends and the table is empty again: every
	 * transaction creates windows of its own, so the first ones of the next transaction are another object.
	 */
	let windowsInTable: Windows | undefined;
	const readers = new Map(queryAggregates.map((name) => [name, prepareWindows(sqlite, [sqlAggregateOf(name)])]));
	// ?2: the start of the first slot. ?3: the length of a slot. Both in nanoseconds.
	const slots = rowsOf(sqlite, `SELECT place, count(DISTINCT (time - ?2) / ?3) FROM ${joined}`);
	const timeAt = sqlite.prepare(`
		SELECT time / 1000000 AS ms FROM sample WHERE series = ? AND time >= ? AND time < ? ORDER BY time LIMIT 1 OFFSET ?`);

	return {
		/** Returns the series of a topic and field that have the given tags. */
		candidates: (database: string, { topic, field, tags }: SeriesOfQuery): readonly Candidate[] =>
			chosenOf(
				candidates.all({ ...tag, database, topic, field }).map((row) => ({
					id: numberIn(row, 'id'),
					types: numberIn(row, 'types'),
					tagSet: () => tagSetIn(row),
				})),
				tags,
			),
		/** Returns what tells a series from others of its topic and field: its other tags, and its measurement where the topic is a tag. */
		tagsOf: (id: number): readonly (readonly [name: string, value: string])[] => [
			...tags.all(id, options.topicColumn).map((row) => [String(row['key']), String(row['value'])] as const),
			...(isTag ? [[measurementTag, String(measurementOf.get(id)?.['measurement'])] as const] : []),
		],
		newest(id: number, start: number, stop: number): StoredSample | undefined {
			const row = newest.get(id, toNs(start), toNs(stop));
			if (row === undefined) return undefined;
			const [ms, ns] = [numberIn(row, 'ms'), numberIn(row, 'ns')];
			const value = row['value'] === null ? null : numberIn(row, 'value');
			// Corrects times before 1970, because SQLite divides towards zero.
			const shift = ns < 0 ? 1 : 0;
			return { ms: ms - shift, ns: ns + shift * 1_000_000, value, kind: numberIn(row, 'kind') };
		},
		/** Returns the kinds of the samples in a range. */
		kinds: (id: number, start: number, stop: number): readonly number[] =>
			kinds.all(id, toNs(start), toNs(stop)).map((row) => numberIn(row, 'kind')),
		/**
		 * Sets the windows that the reads below look at. The end of the transaction removes them, so each transaction passes windows that it
		 * has created itself.
		 */
		setWindows(windows: Windows): void {
			// Several series of one read have the same windows.
			if (windows === windowsInTable) return;
			windowsInTable = windows;
			const { starts } = windows;
			clearWindows.run();
			// The JSON is written by hand, because nanoseconds are not exact as numbers.
			const bounds = [...starts, windowEnd(windows, starts.length - 1)].map(toNs);
			addWindows.run(`[${bounds.join()}]`, starts.length);
		},
		/** Reads one aggregate of the windows that have samples. */
		windows: (aggregate: Aggregate, id: number): readonly WindowRow[] => readers.get(aggregate)?.(id) ?? [],
		/** Reads the aggregates of the pass `scan`, in their order. */
		scan: prepareWindows(sqlite, passes.scan),
		/** Reads the aggregates of the pass `ends`, in their order. */
		ends: prepareWindows(sqlite, passes.ends),
		/** Counts the slots that hold samples. `start` is the start of a slot. */
		slots: (id: number, start: number, slotMs: number): readonly WindowRow[] =>
			slots(id, toNs(start), toNs(slotMs)).map((row) => [numberIn(row, 0), numberIn(row, 1)]),
		/** Returns the time (epoch milliseconds) of the sample after the first `count` samples of a range; undefined when there is none. */
		timeAfter(id: number, start: number, stop: number, count: number): number | undefined {
			const row = timeAt.get(id, toNs(start), toNs(stop), count);
			return row === undefined ? undefined : numberIn(row, 'ms');
		},
	};
}

/** The windows with their samples; ?1 is the id of the series. CROSS JOIN keeps the windows in the outer loop, so that grouping needs no sort. */
const joined = 'span CROSS JOIN sample ON series = ?1 AND time >= start AND time < stop GROUP BY place ORDER BY place';

/**
 * Prepares the read of aggregates of one pass. Its rows have their values in the same order. Where a sum exceeded the largest float, the
 * column is read again, scaled down.
 */
function prepareWindows(sqlite: DatabaseSync, aggregates: readonly NamedSqlAggregate[]) {
	const isScan = aggregates.some(({ pass }) => pass === 'scan');
	const select = (value: string) =>
		rowsOf(
			sqlite,
			`SELECT place, ${aggregates.map(({ sql }) => sql(value)).join()} FROM ${isScan ? joined : 'span ORDER BY place'}`,
		);
	const readPlain = select('value');
	const readScaled = isScan ? select(`value * ${overflowScale}`) : () => [];
	// A window that holds only text has no value; its series has a fault anyway.
	const valueIn = (row: SelectedRow | undefined, column: number): number => (row?.[column] == null ? 0 : numberIn(row, column));
	return (id: number): readonly WindowRow[] => {
		// Without a join, the pass `ends` also returns the windows that have no samples.
		const rows = readPlain(id).filter((row) => isScan || row[1] !== null);
		// A row begins with the place of its window, so the first aggregate is in column 1.
		const columns = aggregates.map(({ overflows }, index) => {
			const column = index + 1;
			const hasOverflowed = overflows && rows.some((row) => !Number.isFinite(row[column]));
			return { column, scaledRows: hasOverflowed ? readScaled(id) : undefined };
		});
		return rows.map((row, index) => [
			numberIn(row, 0),
			...columns.map(({ column, scaledRows }) =>
				scaledRows === undefined ? valueIn(row, column) : valueIn(scaledRows[index], column) / overflowScale,
			),
		]);
	};
}

type SelectedRow = Readonly<Record<string | number, unknown>>;

/** Prepares a statement whose rows are arrays of its columns. */
function rowsOf(sqlite: DatabaseSync, sql: string) {
	const statement = sqlite.prepare(sql);
	statement.setReturnArrays(true);
	return (...parameters: readonly (number | bigint)[]): readonly SelectedRow[] => statement.all(...parameters);
}
