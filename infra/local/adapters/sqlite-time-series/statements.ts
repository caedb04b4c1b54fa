import type { DatabaseSync } from 'node:sqlite';
import { type Windows, windowEnd } from '#domain/variable/window.ts';
import { numberIn, toNs } from './tables.ts';

/** The database file and the column that holds topics. */
export interface SqliteTimeSeriesOptions {
	/** A path, or `:memory:`. */
	readonly file: string;
	/** `_measurement`, or the name of a tag. */
	readonly topicColumn: string;
	/** When the topic is a tag: the only measurement that is read. Without it, all are. */
	readonly measurement?: string | undefined;
}

/** One sample: its time in whole milliseconds, and the nanoseconds beyond. `value` is null for a string. */
export interface StoredSample {
	readonly ms: number;
	readonly ns: number;
	readonly value: number | null;
	readonly kind: number;
}

/** One window of one series. `kind` is the last sample's; for a mean, the highest: it is inexact if any sample is. */
export interface WindowValue {
	/** The index of the window. */
	readonly place: number;
	readonly value: number | null;
	readonly kind: number;
}

/** A series that a topic and a field name. There are several when tag sets differ. */
export interface Candidate {
	readonly id: number;
	/** Every type that its samples ever had, as `typeBits`. */
	readonly types: number;
}

/** The statements of reads. */
export type Statements = ReturnType<typeof prepareStatements>;

/** A sum beyond the largest float is computed from values scaled down by this factor. A power of two, so scaling is exact. */
export const overflowScale = 2 ** -64;

/**
 * Prepares the statements of reads on the tables of `openTables`. Each window and each newest sample is one seek. Ranges are
 * [start, stop) in epoch milliseconds.
 */
export function prepareStatements(sqlite: DatabaseSync, { topicColumn, measurement }: SqliteTimeSeriesOptions) {
	const windowRows = (sql: string) => {
		const statement = sqlite.prepare(sql);
		statement.setReturnArrays(true);
		return (id: number): readonly WindowValue[] => statement.all(id).map(windowValueOf);
	};
	const isTag = topicColumn !== '_measurement';
	const tag = isTag ? { key: topicColumn, measurement: measurement ?? null } : {};
	const candidates = sqlite.prepare(
		isTag
			? `SELECT id, types FROM tag JOIN series ON id = series
				WHERE key = :key AND value = :topic AND database = :database AND field = :field
				AND measurement = coalesce(:measurement, measurement) ORDER BY id`
			: 'SELECT id, types FROM series WHERE database = :database AND measurement = :topic AND field = :field ORDER BY id',
	);
	const newest = sqlite.prepare(`
		SELECT time / 1000000 AS ms, time % 1000000 AS ns, value, kind
		FROM sample WHERE series = ? AND time >= ? AND time < ? ORDER BY time DESC LIMIT 1`);
	const kinds = sqlite.prepare('SELECT DISTINCT kind FROM sample WHERE series = ? AND time >= ? AND time < ?');
	const clearWindows = sqlite.prepare('DELETE FROM span');
	const addWindows = sqlite.prepare(`
		INSERT INTO span SELECT key, value, lead(value) OVER (ORDER BY key) FROM json_each(?) ORDER BY key LIMIT ?`);
	let current: Windows | undefined;
	// CROSS JOIN keeps the windows in the outer loop, in the order of their key, so that grouping needs no sort.
	const meanOf = (value: string) =>
		windowRows(`
			SELECT place, avg(${value}), max(kind) FROM span CROSS JOIN sample
			ON series = ? AND time >= start AND time < stop GROUP BY place ORDER BY place`);
	const mean = meanOf('value');
	const scaledMean = meanOf(`value * ${overflowScale}`);

	return {
		candidates: (database: string, topic: string, field: string): readonly Candidate[] =>
			candidates
				.all({ ...tag, database, topic, field })
				.map((row) => ({ id: numberIn(row, 'id'), types: numberIn(row, 'types') })),
		newest(id: number, start: number, stop: number): StoredSample | undefined {
			const row = newest.get(id, toNs(start), toNs(stop));
			if (row === undefined) return undefined;
			const [ms, ns] = [numberIn(row, 'ms'), numberIn(row, 'ns')];
			const value = row['value'] === null ? null : numberIn(row, 'value');
			// SQLite divides towards zero.
			const shift = ns < 0 ? 1 : 0;
			return { ms: ms - shift, ns: ns + shift * 1_000_000, value, kind: numberIn(row, 'kind') };
		},
		/** Returns the kinds of the samples in a range. */
		kinds: (id: number, start: number, stop: number): readonly number[] =>
			kinds.all(id, toNs(start), toNs(stop)).map((row) => numberIn(row, 'kind')),
		/** Sets the windows that `last` and `mean` read. The end of the transaction removes them. */
		setWindows(windows: Windows): void {
			if (windows === current) return;
			current = windows;
			const { starts } = windows;
			clearWindows.run();
			// The JSON is written by hand, because nanoseconds are not exact as numbers.
			const bounds = [...starts, windowEnd(windows, starts.length - 1)].map(toNs);
			addWindows.run(`[${bounds.join()}]`, starts.length);
		},
		last: windowRows(`
			SELECT place, value, kind FROM span CROSS JOIN sample
			ON series = ?1 AND time = (SELECT max(time) FROM sample WHERE series = ?1 AND time >= start AND time < stop)
			ORDER BY place`),
		mean(id: number): readonly WindowValue[] {
			const means = mean(id);
			if (means.every(({ value }) => value !== null && Number.isFinite(value))) return means;
			return scaledMean(id).map((window) => ({ ...window, value: window.value === null ? null : window.value / overflowScale }));
		},
	};
}

const windowValueOf = (row: Readonly<Record<string | number, unknown>>): WindowValue => ({
	place: numberIn(row, 0),
	value: row[1] === null ? null : numberIn(row, 1),
	kind: numberIn(row, 2),
});
