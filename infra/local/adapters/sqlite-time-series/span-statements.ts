import type { DatabaseSync } from 'node:sqlite';
import { overflowScale } from './statements.ts';
import { numberIn, toNs } from './tables.ts';

/** The index of a window that has samples, and the results of one pass in the order of its columns. */
export type SpanRow = readonly [place: number, ...values: number[]];

/** The statements of spans. */
export type SpanStatements = ReturnType<typeof prepareSpanStatements>;

/** An inexact integer is doubled: so it is beyond 2^53, and farther from zero than every exact integer. The order stays. */
const ordered = 'CASE WHEN kind < 8 THEN value ELSE 2 * value END';

/** The windows with their samples. CROSS JOIN keeps the windows in the outer loop, so that grouping needs no sort. */
const joined = 'span CROSS JOIN sample ON series = ?1 AND time >= start AND time < stop GROUP BY place ORDER BY place';

/**
 * Prepares the statements of spans on the tables of `openTables`. The passes read the windows that `setWindows` has set. Text counts
 * as 0, because its series has no values anyway.
 */
export function prepareSpanStatements(sqlite: DatabaseSync) {
	const rowsOf = (sql: string) => {
		const statement = sqlite.prepare(sql);
		statement.setReturnArrays(true);
		return (...parameters: readonly (number | bigint)[]) => statement.all(...parameters);
	};
	const timeAt = sqlite.prepare(`
		SELECT time / 1000000 AS ms FROM sample WHERE series = ? AND time >= ? AND time < ? ORDER BY time LIMIT 1 OFFSET ?`);
	const statistics = rowsOf(`
		SELECT place, avg(value), coalesce(min(${ordered}), 0), coalesce(max(${ordered}), 0), count(*) FROM ${joined}`);
	const scaledMeans = rowsOf(`SELECT place, coalesce(avg(value * ${overflowScale}), 0) FROM ${joined}`);
	const end = (order: string) =>
		`(SELECT coalesce(${ordered}, 0) FROM sample WHERE series = ?1 AND time >= start AND time < stop ORDER BY time ${order} LIMIT 1)`;
	const ends = rowsOf(`SELECT place, ${end('')}, ${end('DESC')} FROM span ORDER BY place`);
	const slots = rowsOf(`SELECT place, count(DISTINCT (time - ?2) / ?3) FROM ${joined}`);

	return {
		/** Returns the time (epoch milliseconds) of the sample after the first `count` samples of a range; undefined when there is none. */
		timeAfter(id: number, start: number, stop: number, count: number): number | undefined {
			const row = timeAt.get(id, toNs(start), toNs(stop), count);
			return row === undefined ? undefined : numberIn(row, 'ms');
		},
		/** Mean, min, max and count. */
		scan(id: number): readonly SpanRow[] {
			const rows = statistics(id);
			const areFinite = rows.every(({ 1: mean }) => typeof mean === 'number' && Number.isFinite(mean));
			const means = areFinite ? rows : scaledMeans(id);
			const scale = areFinite ? 1 : overflowScale;
			return rows.map((row, index) => [
				numberIn(row, 0),
				numberIn(means[index] ?? row, 1) / scale,
				numberIn(row, 2),
				numberIn(row, 3),
				numberIn(row, 4),
			]);
		},
		/** First and last. */
		ends: (id: number): readonly SpanRow[] =>
			ends(id).flatMap((row) => (row[1] === null ? [] : [[numberIn(row, 0), numberIn(row, 1), numberIn(row, 2)]])),
		/** The number of slots that hold samples, and nothing else. `start` is the start of a slot. */
		slots: (id: number, start: number, slotMs: number): readonly SpanRow[] =>
			slots(id, toNs(start), toNs(slotMs)).map((row) => [numberIn(row, 0), numberIn(row, 1)]),
	};
}
