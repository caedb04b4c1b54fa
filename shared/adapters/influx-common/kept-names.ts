import { createLruCache } from '#domain/lru-cache.ts';

/** How long the names of a database are kept, in milliseconds. */
const keptMs = 60_000;
/** Most databases whose names are kept, and most characters of all their names together. */
const maxKeptDatabases = 1000;
const maxKeptCharacters = 20_000_000;
/** What a name takes in memory beside its characters, counted in characters. */
const charactersPerName = 50;

interface Names {
	readonly names: readonly string[];
	/** Epoch milliseconds. */
	readonly readAt: number;
}

/** Creates the names of the topics of databases, which are kept for a minute (shared/adapters/influx/README.md#catalog). */
export function createKeptNames() {
	const kept = createLruCache<string, Names>(maxKeptDatabases, {
		maxWeight: maxKeptCharacters,
		weightOf: ({ names }) => names.reduce((sum, { length }) => sum + length + charactersPerName, 0),
	});
	return {
		/** Returns the names of a database, reading them when they are not kept. @param now epoch milliseconds */
		get: async (database: string, now: number, read: () => Promise<readonly string[]>): Promise<readonly string[]> => {
			const names = kept.get(database);
			// After the clock was set back, the names seem to be from the future.
			if (names !== undefined && Math.abs(now - names.readAt) < keptMs) return names.names;
			const current = await read();
			kept.set(database, { names: current, readAt: now });
			return current;
		},
	};
}
