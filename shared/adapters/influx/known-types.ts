import { createLruCache } from '#domain/lru-cache.ts';
import type { SeriesKey } from '#domain/ports/time-series.ts';

/**
 * The type that a series had when it was last read. `float`; `number`: integers or booleans; `text`: strings; `mixed`: several
 * types, in the range or in its tag sets.
 */
export type KnownType = 'float' | 'number' | 'text' | 'mixed';

/** How long the type of a series is relied on. */
const maxAgeMs = 300_000;
const maxSeries = 20_000;

/** The types of series, as far as they are known. See `createKnownTypes`. */
export type KnownTypes = ReturnType<typeof createKnownTypes>;

/**
 * Creates a cache of series types. The type selects the query, not the result.
 * @param clock milliseconds since any origin
 */
export function createKnownTypes(clock: () => number) {
	const cache = createLruCache<string, { readonly type: KnownType; readonly until: number }>(maxSeries);
	const get = (database: string, key: SeriesKey): KnownType | undefined => {
		const entry = cache.get(nameOf(database, key));
		return entry !== undefined && entry.until > clock() ? entry.type : undefined;
	};
	return {
		/** Returns the type of a series; undefined when it is not known, or not any more. */
		get,
		/** Records the type that a read found. A series with another recorded type becomes `mixed`, which is right for every type. */
		record(database: string, key: SeriesKey, type: KnownType): void {
			const known = get(database, key);
			// A read sees only its range. One type there does not mean that there are no others outside.
			if (known === 'mixed' && type !== 'mixed') return;
			const recorded = known === undefined || known === type ? type : 'mixed';
			cache.set(nameOf(database, key), { type: recorded, until: clock() + maxAgeMs });
		},
	};
}

const nameOf = (database: string, { topic, field }: SeriesKey): string => JSON.stringify([database, topic, field]);
