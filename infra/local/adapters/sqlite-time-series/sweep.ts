import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../sqlite/sqlite-database.ts';
import type { SweepStep } from './messages.ts';
import { numberIn, toNs } from './tables.ts';

/** Most samples that one step deletes, and most series that it looks at: reads get in between after some milliseconds. */
const maxDeleted = 5000;

const maxSeries = 500;

/**
 * Deletes samples older than epoch milliseconds `before`, and series that have none left, beginning with the series after id
 * `after` (0 at first). One small transaction.
 */
export type Sweeper = (before: number, after: number) => SweepStep;

/** Sweeps the tables of `openTables`. @param onSeriesGone called when a series was deleted */
export function createSweeper(sqlite: DatabaseSync, onSeriesGone: () => void): Sweeper {
	const following = sqlite.prepare(`SELECT id FROM series WHERE id > ? ORDER BY id LIMIT ${maxSeries}`);
	/** The last of the oldest samples that a step may delete, where there are as many. */
	const lastOfOldest = sqlite.prepare('SELECT time FROM sample WHERE series = ? AND time < ? ORDER BY time LIMIT 1 OFFSET ?');
	lastOfOldest.setReadBigInts(true);
	const remove = sqlite.prepare('DELETE FROM sample WHERE series = ? AND time < ?');
	const anySample = sqlite.prepare('SELECT 1 FROM sample WHERE series = ? LIMIT 1');
	const removeTags = sqlite.prepare('DELETE FROM tag WHERE series = ?');
	const removeSeries = sqlite.prepare('DELETE FROM series WHERE id = ?');

	return (before, after) =>
		inTransaction(sqlite, () => {
			const beforeNs = toNs(before);
			const ids = following.all(after).map((row) => numberIn(row, 'id'));
			let deleted = 0;
			for (const id of ids) {
				const last: unknown = lastOfOldest.get(id, beforeNs, maxDeleted - deleted)?.['time'];
				deleted += Number(remove.run(id, typeof last === 'bigint' ? last : beforeNs).changes);
				if (typeof last === 'bigint') return { deleted, next: id - 1 };
				if (anySample.get(id) !== undefined) continue;
				removeTags.run(id);
				removeSeries.run(id);
				onSeriesGone();
			}
			return { deleted, next: ids.length < maxSeries ? null : (ids.at(-1) ?? null) };
		});
}
