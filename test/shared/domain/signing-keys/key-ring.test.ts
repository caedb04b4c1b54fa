import { describe, expect, test } from 'vitest';
import {
	activeKeyOf,
	emptyKeyRing,
	findKeys,
	type KeyRing,
	parseKeyRing,
	publicKeyOf,
	serializeKeyRing,
} from '#domain/signing-keys/key-ring.ts';
import { makeNewKey } from '#test/support/builders/key-rings.ts';

const publishedAt = Date.UTC(2026, 10, 21, 12, 0, 0, 1);
const signedUntil = Date.UTC(2026, 10, 22);
const ring: KeyRing = {
	active: makeNewKey(2).kid,
	keys: [
		{ ...makeNewKey(1), publishedAt, signedUntil },
		{ ...makeNewKey(2), publishedAt },
	],
};
const stored = () => JSON.parse(serializeKeyRing(ring));

describe('a key ring', () => {
	test.each<[string, KeyRing]>([
		['empty', emptyKeyRing],
		['with a stopped and an active key', ring],
		['without an active key', { active: null, keys: [{ ...makeNewKey(1), publishedAt }] }],
	])('parses as it was serialized: %s', (_, original) => {
		expect(parseKeyRing(serializeKeyRing(original))).toEqual(original);
	});

	test('is serialized with times in ISO-8601', () => {
		expect(stored()).toEqual({
			active: makeNewKey(2).kid,
			keys: [
				{ ...makeNewKey(1), publishedAt: '2026-11-21T12:00:00.001Z', signedUntil: '2026-11-22T00:00:00.000Z' },
				{ ...makeNewKey(2), publishedAt: '2026-11-21T12:00:00.001Z' },
			],
		});
	});

	const withKey = (change: object) => ({ ...stored(), keys: [stored().keys[0], { ...stored().keys[1], ...change }] });
	test.each<[string, unknown, RegExp]>([
		['text that is not JSON', '{"active":', /the whole text/],
		['an empty text', '', /the whole text/],
		['another form of JSON', '[]', /the whole text|active/],
		['no active key', { keys: [] }, /active/],
		['an unknown field', { ...stored(), version: 2 }, /version/],
		['an unknown field in a key', withKey({ use: 'sig' }), /keys\.1\.use/],
		['a key without its modulus', withKey({ n: undefined }), /keys\.1\.n/],
		['a key of 1024 bits', withKey({ n: 'n'.repeat(171) }), /keys\.1\.n/],
		['a key of 2046 bits', withKey({ n: 'n'.repeat(341) }), /keys\.1\.n: must be a modulus of at least 2048 bits/],
		['a key with the exponent 3', withKey({ e: 'Aw' }), /keys\.1\.e: must be an odd exponent of at least 65537/],
		['a modulus that is not base64url', withKey({ n: `${'n'.repeat(341)}+` }), /keys\.1\.n/],
		['an invalid name', withKey({ name: 'A key' }), /keys\.1\.name/],
		['a time that does not exist', withKey({ publishedAt: '2026-11-31T25:00:00Z' }), /keys\.1\.publishedAt/],
		['a time in another form', withKey({ publishedAt }), /keys\.1\.publishedAt/],
		['the same key twice', { ...stored(), keys: [stored().keys[1], stored().keys[1]] }, /twice/],
		['an active key that is not listed', { ...stored(), active: makeNewKey(3).kid }, /The active key is not listed/],
		['an active key that has stopped', { ...stored(), active: makeNewKey(1).kid }, /The active key has stopped signing/],
	])('is rejected: %s', (_, input, cause) => {
		const text = typeof input === 'string' ? input : JSON.stringify(input);
		expect(() => parseKeyRing(text)).toThrow(
			expect.objectContaining({
				code: 'dependency_failed',
				payload: { dependency: 'signingKey', cause: expect.stringMatching(cause) },
			}),
		);
	});

	test('activeKeyOf returns the active key', () => {
		expect(activeKeyOf(ring)?.name).toBe('key-2');
		expect(activeKeyOf(emptyKeyRing)).toBeUndefined();
	});

	test('publicKeyOf returns the fields of a JWK and no others', () => {
		expect(ring.keys.map(publicKeyOf)).toEqual(
			[1, 2].map((number) => {
				const { kid, n, e } = makeNewKey(number);
				return { kid, kty: 'RSA', alg: 'RS256', use: 'sig', n, e };
			}),
		);
	});

	test('findKeys finds keys by name, which several may share, and by id', () => {
		const remade = { ...makeNewKey(3, { name: 'key-1' }), publishedAt };
		const both: KeyRing = { ...ring, keys: [...ring.keys, remade] };
		expect(findKeys(both, 'key-1').map(({ kid }) => kid)).toEqual([makeNewKey(1).kid, makeNewKey(3).kid]);
		expect(findKeys(both, makeNewKey(3).kid)).toEqual([remade]);
		expect(findKeys(both, 'key')).toEqual([]);
	});
});
