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

describe('a key ring that is kept', () => {
	let now: number;
	let readings: number;
	let read: () => Promise<KeyRing>;
	let keyRing: CachedKeyRing;
	beforeEach(() => {
		now = start;
		readings = 0;
		read = async () => ringOf(1);
		keyRing = cacheKeyRing(
			() => {
				readings += 1;
				return read();
			},
			() => now,
		);
	});
	const fail = () => {
		read = () => Promise.reject(new Error('down'));
	};

	test('is read once a minute', async () => {
		const first = await keyRing.current();
		read = async () => ringOf(2);
		now += minuteMs - 1;
		expect([await keyRing.current(), readings]).toEqual([first, 1]);
		now += 1;
		expect([await keyRing.current(), readings]).toEqual([ringOf(2), 2]);
	});

	test('is as old as the beginning of its reading', async () => {
		read = async () => {
			now += minuteMs;
			return ringOf(1);
		};
		await keyRing.current();
		await keyRing.current();
		expect(readings).toBe(2);
	});

	test('those who ask at once share a reading, and its failure', async () => {
		expect(new Set(await Promise.all([keyRing.current(), keyRing.current(), keyRing.renewed(emptyKeyRing)])).size).toBe(1);
		expect(readings).toBe(1);
		now += 10 * minuteMs;
		fail();
		const failed = await Promise.allSettled([keyRing.current(), keyRing.current()]);
		expect([failed.map(({ status }) => status), readings]).toEqual([['rejected', 'rejected'], 2]);
	});

	test('serves for five minutes while it cannot be read, and not a moment longer', async () => {
		const first = await keyRing.current();
		fail();
		now += 5 * minuteMs - 1;
		expect(await keyRing.current()).toBe(first);
		now += 1;
		await expect(keyRing.current()).rejects.toThrow('down');
		read = async () => ringOf(2);
		expect(await keyRing.current()).toEqual(ringOf(2));
	});

	test('is not read for every caller while it cannot be', async () => {
		await keyRing.current();
		fail();
		now += minuteMs;
		await keyRing.current();
		now += 4999;
		await keyRing.current();
		expect(readings).toBe(2);
		now += 1;
		await keyRing.current();
		expect(readings).toBe(3);
	});

	test('a first reading that failed is not remembered', async () => {
		fail();
		await expect(keyRing.current()).rejects.toThrow('down');
		read = async () => ringOf(1);
		expect(await keyRing.current()).toEqual(ringOf(1));
	});

	test('a clock that is set back prolongs nothing', async () => {
		await keyRing.current();
		now -= 60 * minuteMs;
		read = async () => ringOf(2);
		expect(await keyRing.current()).toEqual(ringOf(2));
	});

	test('is read anew for whoever has no use for it, once for all of them', async () => {
		const seen = await keyRing.current();
		read = async () => ringOf(2);
		const renewed = await Promise.all([keyRing.renewed(seen), keyRing.renewed(seen)]);
		expect([renewed, await keyRing.renewed(seen), readings]).toEqual([[ringOf(2), ringOf(2)], ringOf(2), 2]);
		fail();
		await expect(keyRing.renewed(renewed[0] ?? seen)).rejects.toThrow('down');
	});
});
