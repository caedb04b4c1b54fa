import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { loadSigningKey } from '#infra/local/wiring/signing-key.ts';
import type { KeyValueStore } from '#infra/local/wiring/state.ts';
import { ConfigError } from '#shared/config.ts';

const storeWith = (key?: unknown): KeyValueStore => {
	const values = new Map<string, unknown>(key === undefined ? [] : [['signing-key', key]]);
	return { get: async (name) => values.get(name), set: async (name, value) => void values.set(name, value) };
};

const makeJwk = (modulusLength: number, publicExponent = 65_537): object => ({
	...generateKeyPairSync('rsa', { modulusLength, publicExponent }).privateKey.export({ format: 'jwk' }),
	kid: 'one',
});

describe('loadSigningKey', () => {
	test('creates a key and returns the same one from then on', async () => {
		const store = storeWith();
		expect(await loadSigningKey(store)).toEqual(await loadSigningKey(store));
	});

	test('returns a stored key of 2048 bits', async () => {
		const stored = makeJwk(2048);
		expect(await loadSigningKey(storeWith(stored))).toEqual(stored);
	});

	test.each([
		['1024 bits', makeJwk(1024), 'n: must be a modulus of at least 2048 bits.'],
		['the exponent 3', makeJwk(2048, 3), 'e: must be an odd exponent of at least 65537.'],
		['no prime factor', { ...makeJwk(2048), p: undefined }, 'p: '],
		['another type', { ...makeJwk(2048), kty: 'EC' }, 'kty: '],
		['no form of a key', 'text', 'the whole key: '],
	])('refuses a stored key with %s, and says what to do', async (_, stored, reason) => {
		const error: unknown = await loadSigningKey(storeWith(stored)).catch((caught: unknown) => caught);
		expect(error).toBeInstanceOf(ConfigError);
		expect(String(error)).toContain(`The signing key in STATE_DIR cannot be used (${reason}`);
		expect(String(error)).toContain('). Take another STATE_DIR, or delete the row signing-key');
	});
});
