import { SSMClient } from '@aws-sdk/client-ssm';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { createSsmPublicKeys, readKeyRing, writeKeyRing } from '#adapters/aws/ssm-key-ring.ts';
import { emptyKeyRing, type KeyRing, keyRingText, publicKeyOf } from '#domain/signing-keys/key-ring.ts';
import { makeNewKey } from '#test/support/builders/key-rings.ts';
import { type Keys, openKeys } from '#test/support/builders/signing-keys.ts';
import { awsSettings, describeAws } from '#test/support/servers/aws.ts';
import { type Fate, fault, openFaultyProxy, type Passing } from '#test/support/servers/faulty-proxy.ts';

const start = Date.UTC(2026, 10, 21, 12);
const minuteMs = 60_000;

/** A ring of so many keys, of which the first signs. */
const ringOf = (size: number): KeyRing => ({
	active: makeNewKey(1).kid,
	keys: Array.from({ length: size }, (_, index) => ({ ...makeNewKey(index + 1), publishedAt: start })),
});

describeAws('the key ring in SSM', () => {
	let keys: Keys;
	let ssm: SSMClient;
	let now: number;
	let close: () => void;
	beforeEach(() => {
		keys = openKeys();
		ssm = new SSMClient(awsSettings());
		now = start;
		close = () => undefined;
	});
	afterEach(() => close());

	const publicKeys = (endpoint?: string) =>
		createSsmPublicKeys({ ...awsSettings(endpoint), parameter: keys.parameter, now: () => now });
	const publicKeysBehind = async (fateOf: (passing: Passing) => Promise<Fate> | Fate) => {
		const proxy = await openFaultyProxy(inject('awsEndpoint') ?? '', fateOf);
		close = proxy.close;
		return { publicKeys: publicKeys(proxy.url), seen: proxy.seen };
	};

	test('is empty where there is no parameter, and comes back as it was written', async () => {
		expect(await readKeyRing(ssm, keys.parameter)).toEqual({ ring: emptyKeyRing, version: 0 });
		expect(await publicKeys().published()).toEqual([]);
		expect(await writeKeyRing(ssm, keys.parameter, { ring: ringOf(1), version: 0 })).toBe(1);
		expect(await readKeyRing(ssm, keys.parameter)).toEqual({ ring: ringOf(1), version: 1 });
		expect(await writeKeyRing(ssm, keys.parameter, { ring: ringOf(7), version: 1 })).toBe(2);
		expect(await readKeyRing(ssm, keys.parameter)).toEqual({ ring: ringOf(7), version: 2 });
		expect(await publicKeys().published()).toEqual(ringOf(7).keys.map(publicKeyOf));
	});

	test('a first ring overwrites none that was made meanwhile', async () => {
		await writeKeyRing(ssm, keys.parameter, { ring: ringOf(1), version: 0 });
		await expect(writeKeyRing(ssm, keys.parameter, { ring: ringOf(2), version: 0 })).rejects.toThrow(
			expect.objectContaining({ name: 'ParameterAlreadyExists' }),
		);
		expect(await readKeyRing(ssm, keys.parameter)).toEqual({ ring: ringOf(1), version: 1 });
	});

	test('whoever writes between shows in the version', async () => {
		await keys.put(ringOf(1));
		const read = await readKeyRing(ssm, keys.parameter);
		await keys.put(ringOf(2));
		expect(await writeKeyRing(ssm, keys.parameter, { ...read, ring: ringOf(3) })).toBe(read.version + 2);
	});

	test.each([
		['a blank', ' '],
		['an empty object', '{}'],
		['a word', 'keys'],
		['a ring that is cut short', keyRingText(ringOf(1)).slice(0, -1)],
	])('what is no ring is a fault: %s', async (_, text) => {
		await keys.putText(text);
		await expect(publicKeys().published()).rejects.toMatchObject({
			code: 'dependency_failed',
			payload: { dependency: 'signingKey', cause: expect.stringContaining('the key ring is not one') },
		});
	});

	test('is read once for all who ask at once, and once a minute', async () => {
		await keys.put(ringOf(1));
		const { publicKeys: kept, seen } = await publicKeysBehind((passing) => passing.forward());
		await Promise.all([kept.published(), kept.published(), kept.published()]);
		await keys.put(ringOf(2));
		now += minuteMs - 1;
		expect([(await kept.published()).length, seen.length]).toEqual([1, 1]);
		now += 1;
		expect([(await kept.published()).length, seen.length]).toEqual([2, 2]);
	});

	test('serves for five minutes while SSM fails, then fails, and comes back', async () => {
		await keys.put(ringOf(1));
		let down = false;
		const { publicKeys: kept } = await publicKeysBehind((passing) =>
			down ? fault('InternalServerError', 500) : passing.forward(),
		);
		await kept.published();
		down = true;
		now += 5 * minuteMs - 1;
		expect(await kept.published()).toHaveLength(1);
		now += 1;
		await expect(kept.published()).rejects.toMatchObject({ code: 'dependency_failed', payload: { dependency: 'signingKey' } });
		down = false;
		expect(await kept.published()).toHaveLength(1);
	});

	test.each<[string, Fate, number]>([
		['a failure', fault('InternalServerError', 500), 1],
		['a closed connection', 'close', 1],
		['throttling', fault('ThrottlingException'), 1],
	])('%s of a moment is not noticed', async (_, fate, times) => {
		await keys.put(ringOf(1));
		let left = times;
		const { publicKeys: kept } = await publicKeysBehind((passing) => {
			left -= 1;
			return left >= 0 ? fate : passing.forward();
		});
		expect(await kept.published()).toHaveLength(1);
	});

	test.each<[string, Fate, string]>([
		['answers nothing', 'silence', 'dependency_slow'],
		['answers half', 'half an answer', 'dependency_slow'],
		['closes every connection', 'close', 'dependency_failed'],
		['fails', fault('InternalServerError', 500), 'dependency_failed'],
		['refuses', fault('AccessDeniedException'), 'dependency_failed'],
	])('is a fault where SSM %s', async (_, fate, code) => {
		const { publicKeys: kept } = await publicKeysBehind(() => fate);
		await expect(kept.published()).rejects.toMatchObject({
			code,
			payload: { dependency: 'signingKey', cause: expect.stringContaining(`SSM GetParameter ${keys.parameter}`) },
		});
	});
});
