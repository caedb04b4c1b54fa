/** A map that holds a limited number of entries and drops the least recently used one. */
export interface LruCache<Key, Value> {
	/** Returns the value of `key` and marks it as used; undefined where there is none. */
	get(key: Key): Value | undefined;
	/** Stores a value, and drops the least recently used entry where there are too many. */
	set(key: Key, value: Value): void;
}

/**
 * Creates an empty cache of at most `maxEntries` entries.
 *
 * @example
 * const cache = createLruCache<string, number>(2);
 * cache.set('a', 1);
 * cache.get('a'); // 1
 */
export function createLruCache<Key, Value extends NonNullable<unknown>>(maxEntries: number): LruCache<Key, Value> {
	const entries = new Map<Key, Value>();
	const touch = (key: Key, value: Value): void => {
		entries.delete(key);
		entries.set(key, value);
	};
	return {
		get: (key) => {
			const value = entries.get(key);
			if (value !== undefined) touch(key, value);
			return value;
		},
		set: (key, value) => {
			touch(key, value);
			const oldest = entries.keys().next();
			if (entries.size > maxEntries && !oldest.done) entries.delete(oldest.value);
		},
	};
}
