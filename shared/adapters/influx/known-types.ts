import { createLruCache } from '#domain/lru-cache.ts';
import { type SeriesOfQuery, seriesKeyOf } from '#domain/variable/series-of-query.ts';
import { isMixed, typeBits } from '../series-points.ts';

/**
 * The type that a series had when it was last read. `mixed`: several types of numbers and booleans, in the range or in its tag sets.
 * `text`: strings, alone or with others.
 */
export type KnownType = 'float' | 'integer' | 'boolean' | 'mixed' | 'text';

/** How long is relied on what a read found of a series, in milliseconds. */
const maxAgeMs = 300_000;
/** Most series of which it is kept. */
const maxSeries = 20_000;

/** The types of series, and which of them have several sources, as far as that is known. See `createKnownTypes`. */
export type KnownTypes = ReturnType<typeof createKnownTypes>;

/**
 * Creates a cache of series types, and of series with several sources. Both select the query, not the result.
 * @param clock milliseconds since any origin
 */
export function createKnownTypes(clock: () => number) {
	const cache = createLruCache<string, { readonly type: KnownType; readonly until: number }>(maxSeries);
	const severalUntil = createLruCache<string, number>(maxSeries);
	const get = (database: string, series: SeriesOfQuery): KnownType | undefined => {
		const entry = cache.get(cacheKeyOf(database, series));
		return entry !== undefined && entry.until > clock() ? entry.type : undefined;
	};
	return {
		/** Returns the type of a series; undefined when it is not known, or not any more. */
		get,
		/** Records the type that a read found. A series with another recorded type becomes `mixed`, or `text` with text. */
		record(database: string, series: SeriesOfQuery, type: KnownType): void {
			const recorded = get(database, series);
			const merged = recorded === undefined ? type : mergedType(recorded, type);
			// A read sees only its range. One type there does not mean that there are no others outside. So the recorded type stays, but not
			// longer than before: then the type is recorded anew.
			if (merged === recorded && merged !== type) return;
			cache.set(cacheKeyOf(database, series), { type: merged, until: clock() + maxAgeMs });
		},
		/** Whether a read found several sources of a series. It may have one in other ranges. */
		hasSeveral: (database: string, series: SeriesOfQuery): boolean =>
			(severalUntil.get(cacheKeyOf(database, series)) ?? Number.NEGATIVE_INFINITY) > clock(),
		/** Records that a read found several sources. */
		recordSeveral(database: string, series: SeriesOfQuery): void {
			severalUntil.set(cacheKeyOf(database, series), clock() + maxAgeMs);
		},
	};
}

/** Returns the type that a set of type bits stands for; undefined for the empty set. */
export function knownTypeOfBits(types: number): KnownType | undefined {
	if (types === 0) return undefined;
	if ((types & typeBits.string) !== 0) return 'text';
	if (isMixed(types)) return 'mixed';
	if (types === typeBits.float) return 'float';
	return types === typeBits.bool ? 'boolean' : 'integer';
}

/** Returns the type of a series that was read with both types. */
function mergedType(a: KnownType, b: KnownType): KnownType {
	if (a === b) return a;
	return a === 'text' || b === 'text' ? 'text' : 'mixed';
}

const cacheKeyOf = (database: string, series: SeriesOfQuery): string => JSON.stringify([database, seriesKeyOf(series)]);
