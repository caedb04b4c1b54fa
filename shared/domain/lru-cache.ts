/** A map that holds a limited number of entries and drops the least recently used ones. */
export interface LruCache<Key, Value> {
	/** Returns the value of `key` and marks it as used; undefined where there is none. */
	get(key: Key): Value | undefined;
	/** Stores a value, and drops the least recently used entries while there is too much. A value that is too heavy is not kept. */
	set(key: Key, value: Value): void;
}

/** Limits the weight of all values of a cache together. A value is weighed when it is set. */
export interface WeightLimit<Value> {
	readonly maxWeight: number;
	readonly weightOf: (value: Value) => number;
}

/** No limit: nothing weighs anything. */
const unlimited: WeightLimit<unknown> = { maxWeight: 0, weightOf: () => 0 };

/**
 * Creates an empty cache of at most `maxEntries` entries, and at most `maxWeight` where a limit is given.
 *
 * @example
 * const cache = createLruCache<string, number>(2);
 * cache.set('a', 1);
 * cache.get('a'); // 1
 */
export function createLruCache<Key, Value extends NonNullable<unknown>>(
	maxEntries: number,
	{ maxWeight, weightOf }: WeightLimit<Value> = unlimited,
): LruCache<Key, Value> {
	const entries = new Map<Key, { readonly value: Value; readonly weight: number }>();
	let total = 0;
	const remove = (key: Key): void => {
		total -= entries.get(key)?.weight ?? 0;
		entries.delete(key);
	};
	return {
		get: (key) => {
			const entry = entries.get(key);
			if (entry === undefined) return undefined;
			entries.delete(key);
			entries.set(key, entry);
			return entry.value;
		},
		set: (key, value) => {
			remove(key);
			const weight = weightOf(value);
			if (weight > maxWeight) return;
			entries.set(key, { value, weight });
			total += weight;
			for (const oldest of entries.keys()) {
				if (entries.size <= maxEntries && total <= maxWeight) return;
				remove(oldest);
			}
		},
	};
}
