import { SSMClient } from '@aws-sdk/client-ssm';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { createSsmPublicKeys, readKeyRing, writeKeyRing } from '#adapters/aws/ssm-key-ring.ts';
import { emptyKeyRing, type KeyRing, publicKeyOf, serializeKeyRing } from '#domain/signing-keys/key-ring.ts';
import { makeNewKey } from '#test/support/builders/key-rings.ts';
import { type Keys, openKeys } from '#test/support/builders/signing-keys.ts';
import { awsSettings, describeAws } from '#test/support/servers/aws.ts';
import { awsError, openFaultyProxy, type ProxiedRequest, type ProxyAction } from '#test/support/servers/faulty-proxy.ts';

const start = Date.UTC(2026, 10, 21, 12);
const minuteMs = 60_000;

/** Creates a key ring of `size` keys, of which the first is active. */
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
	const publicKeysBehindProxy = async (actionFor: (proxied: ProxiedRequest) => Promise<ProxyAction> | ProxyAction) => {
		const proxy = await openFaultyProxy(inject('awsEndpoint') ?? '', actionFor);
		close = proxy.close;
		return { publicKeys: publicKeys(proxy.url), seen: proxy.seen };
	};

	test('is empty without a parameter, and is read as it was written', async () => {
		expect(await readKeyRing(ssm, keys.parameter)).toEqual({ ring: emptyKeyRing, version: 0 });
		expect(await publicKeys().published()).toEqual([]);
		expect(await writeKeyRing(ssm, keys.parameter, { ring: ringOf(1), version: 0 })).toBe(1);
		expect(await readKeyRing(ssm, keys.parameter)).toEqual({ ring: ringOf(1), version: 1 });
		expect(await writeKeyRing(ssm, keys.parameter, { ring: ringOf(7), version: 1 })).toBe(2);
		expect(await readKeyRing(ssm, keys.parameter)).toEqual({ ring: ringOf(7), version: 2 });
		expect(await publicKeys().published()).toEqual(ringOf(7).keys.map(publicKeyOf));
	});

	test('a first key ring does not overwrite one that was created meanwhile', async () => {
		await writeKeyRing(ssm, keys.parameter, { ring: ringOf(1), version: 0 });
		await expect(writeKeyRing(ssm, keys.parameter, { ring: ringOf(2), version: 0 })).rejects.toThrow(
			expect.objectContaining({ name: 'ParameterAlreadyExists' }),
		);
		expect(await readKeyRing(ssm, keys.parameter)).toEqual({ ring: ringOf(1), version: 1 });
	});

	test('the version shows a write in between', async () => {
		await keys.put(ringOf(1));
		const read = await readKeyRing(ssm, keys.parameter);
		await keys.put(ringOf(2));
		expect(await writeKeyRing(ssm, keys.parameter, { ...read, ring: ringOf(3) })).toBe(read.version + 2);
	});

	test.each([
		['a space', ' '],
		['an empty object', '{}'],
		['a word', 'keys'],
		['a truncated key ring', serializeKeyRing(ringOf(1)).slice(0, -1)],
	])('a parameter that is not a key ring is a fault: %s', async (_, text) => {
		await keys.putText(text);
		await expect(publicKeys().published()).rejects.toMatchObject({
			code: 'dependency_failed',
			payload: { dependency: 'signingKey', cause: expect.stringContaining('the key ring is invalid') },
		});
	});

	test('is read once for concurrent callers, and once a minute', async () => {
		await keys.put(ringOf(1));
		const { publicKeys: cached, seen } = await publicKeysBehindProxy((proxied) => proxied.forward());
		await Promise.all([cached.published(), cached.published(), cached.published()]);
		await keys.put(ringOf(2));
		now += minuteMs - 1;
		expect([(await cached.published()).length, seen.length]).toEqual([1, 1]);
		now += 1;
		expect([(await cached.published()).length, seen.length]).toEqual([2, 2]);
	});

	test('is used for five minutes while SSM fails, then fails, then recovers', async () => {
		await keys.put(ringOf(1));
		let down = false;
		const { publicKeys: cached } = await publicKeysBehindProxy((proxied) =>
			down ? awsError('InternalServerError', 500) : proxied.forward(),
		);
		await cached.published();
		down = true;
		now += 5 * minuteMs - 1;
		expect(await cached.published()).toHaveLength(1);
		now += 1;
		await expect(cached.published()).rejects.toMatchObject({ code: 'dependency_failed', payload: { dependency: 'signingKey' } });
		down = false;
		expect(await cached.published()).toHaveLength(1);
	});

	test.each<[string, ProxyAction, number]>([
		['a failure', awsError('InternalServerError', 500), 1],
		['a closed connection', 'close', 1],
		['throttling', awsError('ThrottlingException'), 1],
	])('retries after %s', async (_, action, times) => {
		await keys.put(ringOf(1));
		let left = times;
		const { publicKeys: cached } = await publicKeysBehindProxy((proxied) => {
			left -= 1;
			return left >= 0 ? action : proxied.forward();
		});
		expect(await cached.published()).toHaveLength(1);
	});

	test.each<[string, ProxyAction, string]>([
		['does not respond', 'silence', 'dependency_slow'],
		['sends half a response', 'half a response', 'dependency_slow'],
		['closes every connection', 'close', 'dependency_failed'],
		['fails', awsError('InternalServerError', 500), 'dependency_failed'],
		['refuses', awsError('AccessDeniedException'), 'dependency_failed'],
	])('fails when SSM %s', async (_, action, code) => {
		const { publicKeys: cached } = await publicKeysBehindProxy(() => action);
		await expect(cached.published()).rejects.toMatchObject({
			code,
			payload: { dependency: 'signingKey', cause: expect.stringContaining(`SSM GetParameter ${keys.parameter}`) },
		});
	});
});
