import type { DatabaseSync } from 'node:sqlite';
import { type Windows, windowEnd } from '#domain/variable/window.ts';
import type { SqliteTimeSeriesOptions } from './messages.ts';
import { msOf, numberIn, toNs } from './tables.ts';

/** One sample; its time in whole milliseconds and the nanoseconds beyond them. `value` is null for a string. */
export interface Sample {
	readonly ms: number;
	readonly ns: number;
	readonly value: number | null;
	readonly kind: number;
}

/** One window of one series. `kind` is the last sample's, or for a mean the highest, which is wide if any is. */
export interface WindowValue {
	readonly place: number;
	readonly value: number | null;
	readonly kind: number;
}

export interface Candidate {
	readonly id: number;
	/** Every type its samples ever had, as bits. */
	readonly types: number;
}

/** The statements of reads. Ranges are in nanoseconds, [start, stop). */
export interface Statements {
	candidates(database: string, topic: string, field: string): readonly Candidate[];
	newest(id: number, start: bigint, stop: bigint): Sample | undefined;
	/** The types of the samples in a range, as `kind`s. */
	kinds(id: number, start: bigint, stop: bigint): readonly number[];
	/** Sets the windows of the statements below. */
	setWindows(windows: Windows): void;
	last(id: number): readonly WindowValue[];
	mean(id: number): readonly WindowValue[];
}

/** What a sum beyond the largest float is scaled down by; exact, being a power of two. */
const overflowScale = 2 ** -64;

/** Prepares the statements of reads on the tables of `openTables`. Each window and each newest sample is a seek. */
export function prepareStatements(sqlite: DatabaseSync, options: SqliteTimeSeriesOptions): Statements {
	const rows = (sql: string) => {
		const statement = sqlite.prepare(sql);
		statement.setReturnArrays(true);
		return statement;
	};
	const candidates = sqlite.prepare(candidateSql(options));
	const fixed =
		options.topicColumn === '_measurement'
			? {}
			: { key: options.topicColumn, ...(options.measurement === undefined ? {} : { measurement: options.measurement }) };
	const newest = sqlite.prepare(`
		SELECT ${msOf('time')} AS ms, ((time % 1000000) + 1000000) % 1000000 AS ns, value, kind
		FROM sample WHERE series = ? AND time >= ? AND time < ? ORDER BY time DESC LIMIT 1`);
	const kinds = sqlite.prepare('SELECT DISTINCT kind FROM sample WHERE series = ? AND time >= ? AND time < ?');
	const clearWindows = sqlite.prepare('DELETE FROM span');
	const addWindows = sqlite.prepare(`
		INSERT INTO span SELECT key, value, lead(value) OVER (ORDER BY key) FROM json_each(?) ORDER BY key LIMIT ?`);
	// CROSS JOIN keeps the windows outside, in the order of their key, so that grouping needs no sort.
	const last = rows(`
		SELECT place, value, kind FROM span CROSS JOIN sample
		ON series = :id AND time = (SELECT max(time) FROM sample WHERE series = :id AND time >= start AND time < stop)
		ORDER BY place`);
	const meanOf = (value: string) => `
		SELECT place, avg(${value}), max(kind) FROM span CROSS JOIN sample
		ON series = ? AND time >= start AND time < stop GROUP BY place ORDER BY place`;
	const mean = rows(meanOf('value'));
	const scaledMean = rows(meanOf(`value * ${overflowScale}`));

	return {
		candidates: (database, topic, field) =>
			candidates
				.all({ ...fixed, database, topic, field })
				.map((row) => ({ id: numberIn(row, 'id'), types: numberIn(row, 'types') })),
		newest: (id, start, stop) => {
			const row = newest.get(id, start, stop);
			if (row === undefined) return undefined;
			const value = row['value'] === null ? null : numberIn(row, 'value');
			return { ms: numberIn(row, 'ms'), ns: numberIn(row, 'ns'), value, kind: numberIn(row, 'kind') };
		},
		kinds: (id, start, stop) => kinds.all(id, start, stop).map((row) => numberIn(row, 'kind')),
		setWindows: (windows) => {
			const { starts } = windows;
			clearWindows.run();
			// Nanoseconds are beyond exact numbers: the JSON is written by hand.
			const bounds = [...starts, windowEnd(windows, starts.length - 1)].map(toNs);
			addWindows.run(`[${bounds.join()}]`, starts.length);
		},
		last: (id) => last.all({ id }).map(windowValue),
		mean: (id) => {
			const means = mean.all(id).map(windowValue);
			if (means.every(({ value }) => value !== null && Number.isFinite(value))) return means;
			const scaled = scaledMean.all(id).map(windowValue);
			return scaled.map((window) => ({ ...window, value: window.value === null ? null : window.value / overflowScale }));
		},
	};
}

function candidateSql({ topicColumn, measurement }: SqliteTimeSeriesOptions): string {
	if (topicColumn === '_measurement')
		return 'SELECT id, types FROM series WHERE database = :database AND measurement = :topic AND field = :field ORDER BY id';
	const byMeasurement = measurement === undefined ? '' : 'AND measurement = :measurement';
	return `SELECT id, types FROM tag JOIN series ON id = series
		WHERE key = :key AND value = :topic AND database = :database AND field = :field ${byMeasurement} ORDER BY id`;
}

const windowValue = (row: Readonly<Record<string | number, unknown>>): WindowValue => ({
	place: numberIn(row, 0),
	value: row[1] === null ? null : numberIn(row, 1),
	kind: numberIn(row, 2),
});
