import { describe, expect, test } from 'vitest';
import { createLruCache } from '#domain/lru-cache.ts';

describe('createLruCache', () => {
	test('drops the entry that was used least recently, reads included', () => {
		const cache = createLruCache<string, number>(2);
		cache.set('a', 1);
		cache.set('b', 2);
		cache.get('a');
		cache.set('c', 3);
		expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
	});

	test('replaces the value of a key without dropping another', () => {
		const cache = createLruCache<string, number>(2);
		cache.set('a', 1);
		cache.set('b', 2);
		cache.set('b', 0);
		expect([cache.get('a'), cache.get('b')]).toEqual([1, 0]);
	});
});
