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

	test('keeps at most the allowed weight, and never a value that is heavier alone', () => {
		const cache = createLruCache<string, number>(10, { maxWeight: 5, weightOf: (value) => value });
		cache.set('a', 2);
		cache.set('b', 3);
		expect([cache.get('a'), cache.get('b')]).toEqual([2, 3]);
		cache.set('c', 1);
		expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, 3, 1]);
		cache.set('d', 6);
		expect([cache.get('b'), cache.get('c'), cache.get('d')]).toEqual([3, 1, undefined]);
		cache.set('b', 6);
		cache.set('e', 4);
		expect([cache.get('b'), cache.get('c'), cache.get('e')]).toEqual([undefined, 1, 4]);
	});
});
