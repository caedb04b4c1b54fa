import { beforeEach, describe, expect, test } from 'vitest';
import { type CachedKeyRing, cacheKeyRing } from '#adapters/aws/cached-key-ring.ts';
import { emptyKeyRing, type KeyRing } from '#domain/signing-keys/key-ring.ts';
import { makeNewKey } from '#test/support/builders/key-rings.ts';

const minuteMs = 60_000;
const start = Date.UTC(2026, 10, 21, 12);

const ringOf = (number: number): KeyRing => ({
	active: makeNewKey(number).kid,
	keys: [{ ...makeNewKey(number), publishedAt: start }],
});

describe('cacheKeyRing', () => {
	let now: number;
	let readCount: number;
	let read: () => Promise<KeyRing>;
	let keyRing: CachedKeyRing;
	beforeEach(() => {
		now = start;
		readCount = 0;
		read = async () => ringOf(1);
		keyRing = cacheKeyRing(
			() => {
				readCount += 1;
				return read();
			},
			() => now,
		);
	});
	const fail = () => {
		read = () => Promise.reject(new Error('down'));
	};

	test('reads the key ring once a minute', async () => {
		const first = await keyRing.current();
		read = async () => ringOf(2);
		now += minuteMs - 1;
		expect([await keyRing.current(), readCount]).toEqual([first, 1]);
		now += 1;
		expect([await keyRing.current(), readCount]).toEqual([ringOf(2), 2]);
	});

	test('counts the age of the key ring from the start of the read', async () => {
		read = async () => {
			now += minuteMs;
			return ringOf(1);
		};
		await keyRing.current();
		await keyRing.current();
		expect(readCount).toBe(2);
	});

	test('shares one read, or its failure, among concurrent callers', async () => {
		expect(new Set(await Promise.all([keyRing.current(), keyRing.current(), keyRing.refresh(emptyKeyRing)])).size).toBe(1);
		expect(readCount).toBe(1);
		now += 10 * minuteMs;
		fail();
		const failed = await Promise.allSettled([keyRing.current(), keyRing.current()]);
		expect([failed.map(({ status }) => status), readCount]).toEqual([['rejected', 'rejected'], 2]);
	});

	test('returns the last key ring for five minutes while it cannot be read, and not a moment longer', async () => {
		const first = await keyRing.current();
		fail();
		now += 5 * minuteMs - 1;
		expect(await keyRing.current()).toBe(first);
		now += 1;
		await expect(keyRing.current()).rejects.toThrow('down');
		read = async () => ringOf(2);
		expect(await keyRing.current()).toEqual(ringOf(2));
	});

	test('pauses reading for five seconds after a failure', async () => {
		await keyRing.current();
		fail();
		now += minuteMs;
		await keyRing.current();
		now += 4999;
		await keyRing.current();
		expect(readCount).toBe(2);
		now += 1;
		await keyRing.current();
		expect(readCount).toBe(3);
	});

	test('reads again after a failed first read', async () => {
		fail();
		await expect(keyRing.current()).rejects.toThrow('down');
		read = async () => ringOf(1);
		expect(await keyRing.current()).toEqual(ringOf(1));
	});

	test('reads again after the clock was set back', async () => {
		await keyRing.current();
		now -= 60 * minuteMs;
		read = async () => ringOf(2);
		expect(await keyRing.current()).toEqual(ringOf(2));
	});

	test('reads again on refresh, once for all concurrent callers', async () => {
		const seen = await keyRing.current();
		read = async () => ringOf(2);
		const refreshed = await Promise.all([keyRing.refresh(seen), keyRing.refresh(seen)]);
		expect([refreshed, await keyRing.refresh(seen), readCount]).toEqual([[ringOf(2), ringOf(2)], ringOf(2), 2]);
		fail();
		await expect(keyRing.refresh(refreshed[0] ?? seen)).rejects.toThrow('down');
	});
});
