import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../sqlite/sqlite-database.ts';
import { numberIn, toNs } from './tables.ts';

/** Most samples that one step deletes, and most series that it looks at. A step takes some milliseconds, so that reads can run. */
const maxDeleted = 5000;
const maxSeries = 500;

/**
 * Creates a function that deletes samples older than `before` (epoch milliseconds), and series without samples, in one small
 * transaction. It begins with the series after id `after`, and returns the number of deleted samples and the `after` of the next
 * step, null at the end.
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
				if (typeof limit === 'bigint') return { deleted, next: id - 1 };
				if (anySample.get(id) !== undefined) continue;
				removeTags.run(id);
				removeSeries.run(id);
				onSeriesDeleted();
			}
			return { deleted, next: ids.length < maxSeries ? null : (ids.at(-1) ?? null) };
		});
}
