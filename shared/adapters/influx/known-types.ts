import type { SeriesKey } from '#domain/ports/time-series.ts';

/**
 * What a series was when it was last read. `float`; `number`: integers or booleans; `text`: strings; `mixed`: several types, in
 * the range or in its tag sets.
 */
export type KnownType = 'float' | 'number' | 'text' | 'mixed';

/** The types of series, remembered for some minutes: they decide how a mean can be read, never what it is. */
export interface KnownTypes {
	get(database: string, key: SeriesKey): KnownType | undefined;
	/** Takes note of what a read found. What differs from what is remembered makes it `mixed`, which is right for every type. */
	learn(database: string, key: SeriesKey, type: KnownType): void;
}

export interface KnownTypesOptions {
	/** Milliseconds, of whatever origin. */
	readonly clock: () => number;
	readonly forMs: number;
	/** Series remembered at most: beyond it the one that was learnt first is forgotten. */
	readonly max: number;
}

/** An empty memory. */
export function createKnownTypes({ clock, forMs, max }: KnownTypesOptions): KnownTypes {
	const entries = new Map<string, { readonly type: KnownType; readonly until: number }>();
	const current = (name: string): KnownType | undefined => {
		const entry = entries.get(name);
		return entry !== undefined && entry.until > clock() ? entry.type : undefined;
	};
	return {
		get: (database, key) => current(nameOf(database, key)),
		learn: (database, key, type) => {
			const name = nameOf(database, key);
			const known = current(name);
			// One read sees one range: that it saw a single type there is no news of the others'.
			if (known === 'mixed' && type !== 'mixed') return;
			entries.delete(name);
			entries.set(name, { type: known === undefined || known === type ? type : 'mixed', until: clock() + forMs });
			const [oldest] = entries.keys();
			if (entries.size > max && oldest !== undefined) entries.delete(oldest);
		},
	};
}

const nameOf = (database: string, { topic, field }: SeriesKey): string => JSON.stringify([database, topic, field]);
