import { Worker } from 'node:worker_threads';
import { DomainError } from '#domain/errors.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';
import type { Point } from '../line-protocol/point.ts';
import type { Reply, Request, SqliteTimeSeriesOptions } from './messages.ts';
import { pack, transferables } from './pack.ts';
import { workerCalls } from './worker-calls.ts';

/** `TimeSeries` in SQLite, for one machine, with what feeds it. Every call rejects as `TimeSeries.read` does. */
export interface SqliteTimeSeries extends TimeSeries {
	/**
	 * Stores points; one of the same series and time as a stored one overwrites it. When this resolves they outlive a kill of
	 * the process. Many points are stored in several steps, so that reads get in between: a failure may leave the first ones.
	 */
	write(database: string, points: readonly Point[]): Promise<void>;
	/**
	 * Deletes all samples older than epoch milliseconds `before`, of every database, in steps of some milliseconds each.
	 * @returns how many
	 */
	sweep(before: number): Promise<number>;
	/** Ends the thread after the calls under way. May be called again. */
	close(): Promise<void>;
}

/** Points that one message carries: some 20 ms of writing. */
const pointsPerStep = 20_000;

/**
 * Opens (or makes) a database of series, in a thread of its own: no read or write holds up this one.
 * Rejects with DomainError `dependency_failed` where the file cannot be opened.
 */
export async function openSqliteTimeSeries(options: SqliteTimeSeriesOptions): Promise<SqliteTimeSeries> {
	const worker = new Worker(new URL('./sqlite-time-series-worker.ts', import.meta.url));
	const calls = workerCalls<Request, Reply>(worker);
	const close = () => calls.close({ call: 'close' });
	try {
		await calls.call({ call: 'open', options });
	} catch (error) {
		await close();
		throw error;
	}
	return {
		read: async (database, keys, now) => {
			const reply = await calls.call({ call: 'read', database, keys, now });
			if (reply.call !== 'read') throw unexpected('read', reply);
			return reply.results;
		},
		write: async (database, points) => {
			for (let from = 0; from < points.length; from += pointsPerStep) {
				const packed = pack(points.slice(from, from + pointsPerStep));
				await calls.call({ call: 'write', database, packed }, transferables(packed));
			}
		},
		sweep: async (before) => {
			let deleted = 0;
			for (let after: number | null = 0; after !== null; ) {
				const reply: Reply = await calls.call({ call: 'sweep', before, after });
				if (reply.call !== 'sweep') throw unexpected('sweep', reply);
				deleted += reply.deleted;
				after = reply.next;
			}
			return deleted;
		},
		close,
	};
}

const unexpected = (asked: Request['call'], reply: Reply): DomainError =>
	new DomainError('dependency_failed', { dependency: 'tsdb', cause: `${asked} was answered as ${reply.call}` });
