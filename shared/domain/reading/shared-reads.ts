import type { SeriesKey, SeriesResult, TimeSeries } from '../ports/time-series.ts';
import { windowsOf } from './budget.ts';

/** Series as they were at one moment. */
export interface SeriesRead {
	/** Epoch milliseconds. Readings are evaluated at this moment. */
	readonly now: number;
	/** A result for each key, in their order. */
	readonly results: readonly SeriesResult[];
}

/** Reads the series of a request. */
export interface SeriesReader {
	/**
	 * Reads series at one moment: at `now`, or at the earlier moment of a shared read of the same series.
	 * @param now epoch milliseconds
	 * @param anew reads at `now`, without a shared read
	 * @throws the errors of `TimeSeries.read`
	 */
	read(database: string, keys: readonly SeriesKey[], now: number, anew?: boolean): Promise<SeriesRead>;
}

/** A reader whose requests share what they read. */
export interface SharedReads extends SeriesReader {
	/** Forgets the reads of a database, because samples were written to it. */
	clear(database: string): void;
}

/** A read that later requests may share. */
interface Entry extends Pick<SeriesRead, 'now'> {
	readonly database: string;
	readonly windows: number;
	readonly read: Promise<SeriesRead>;
}

/** Most reads that are kept, and most windows in all of them: these bound the memory. */
const maxEntries = 16;
const maxWindows = 200_000;

/** Returns a reader that reads for each request by itself. */
export function unshared(timeSeries: TimeSeries): SeriesReader {
	return { read: async (database, keys, now) => ({ now, results: await timeSeries.read(database, keys, now) }) };
}

/**
 * Returns a reader that shares reads. A request takes a read of exactly the same series if another request started it less than `forMs`
 * before; it may still run (shared/domain/reading/README.md#shared-reads). At most 16 reads and 200,000 windows are kept, and none with
 * `forMs` 0. An error reaches only the requests that wait for the read.
 * @param forMs milliseconds
 */
export function shareReads(timeSeries: TimeSeries, forMs: number): SharedReads {
	const alone = unshared(timeSeries);
	if (forMs === 0) return { ...alone, clear: () => undefined };
	const entries = new Map<string, Entry>();
	const remove = (isRemoved: (entry: Entry) => boolean): void => {
		for (const [key, entry] of entries) if (isRemoved(entry)) entries.delete(key);
	};
	return {
		read: (database, keys, now, anew = false) => {
			// A read is later than `now` where the clock was set back.
			remove((entry) => entry.now > now || now - entry.now >= forMs);
			const key = JSON.stringify([database, keys]);
			const shared = entries.get(key);
			if (shared !== undefined && !anew) return shared.read;
			const read = alone.read(database, keys, now);
			const fresh = { database, now, windows: keys.reduce((sum, seriesKey) => sum + windowsOf(seriesKey), 0), read };
			// Deleted first: the oldest entry is the first one of the map.
			entries.delete(key);
			entries.set(key, fresh);
			read.catch(() => remove((entry) => entry === fresh));
			dropOldest(entries);
			return read;
		},
		clear: (database) => remove((entry) => entry.database === database),
	};
}

function dropOldest(entries: Map<string, Entry>): void {
	let windows = [...entries.values()].reduce((sum, entry) => sum + entry.windows, 0);
	for (const [key, entry] of entries) {
		if (entries.size <= maxEntries && windows <= maxWindows) return;
		entries.delete(key);
		windows -= entry.windows;
	}
}
