import { describe, expect, test } from 'vitest';
import {
	activeKeyOf,
	emptyKeyRing,
	type KeyRing,
	keyRingText,
	keysCalled,
	parseKeyRing,
	publicKeyOf,
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
const stored = () => JSON.parse(keyRingText(ring));

describe('a key ring', () => {
	test.each<[string, KeyRing]>([
		['empty', emptyKeyRing],
		['with a key that stopped and one that signs', ring],
		['of which none has signed yet', { active: null, keys: [{ ...makeNewKey(1), publishedAt }] }],
	])('comes back as it was kept: %s', (_, kept) => {
		expect(parseKeyRing(keyRingText(kept))).toEqual(kept);
	});

	test('is kept as a person reads it', () => {
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
		['no word on which signs', { keys: [] }, /active/],
		['a field of another version', { ...stored(), version: 2 }, /version/],
		['a field of another version in a key', withKey({ use: 'sig' }), /keys\.1\.use/],
		['a key without its modulus', withKey({ n: undefined }), /keys\.1\.n/],
		['a key of 1024 bits', withKey({ n: 'n'.repeat(171) }), /keys\.1\.n/],
		['a modulus that is not base64url', withKey({ n: `${'n'.repeat(341)}+` }), /keys\.1\.n/],
		['a name that is none', withKey({ name: 'A key' }), /keys\.1\.name/],
		['a time that is none', withKey({ publishedAt: '2026-11-31T25:00:00Z' }), /keys\.1\.publishedAt/],
		['a time in another form', withKey({ publishedAt }), /keys\.1\.publishedAt/],
		['a key twice', { ...stored(), keys: [stored().keys[1], stored().keys[1]] }, /twice/],
		['a key that signs and is not published', { ...stored(), active: makeNewKey(3).kid }, /signs is not there/],
		['a key that signs and has stopped', { ...stored(), active: makeNewKey(1).kid }, /signs has stopped/],
	])('is none: %s', (_, kept, cause) => {
		const text = typeof kept === 'string' ? kept : JSON.stringify(kept);
		expect(() => parseKeyRing(text)).toThrow(
			expect.objectContaining({
				code: 'dependency_failed',
				payload: { dependency: 'signingKey', cause: expect.stringMatching(cause) },
			}),
		);
	});

	test('says which key signs', () => {
		expect(activeKeyOf(ring)?.name).toBe('key-2');
		expect(activeKeyOf(emptyKeyRing)).toBeUndefined();
	});

	test('shows of a key what verifiers take, and no more', () => {
		expect(ring.keys.map(publicKeyOf)).toEqual(
			[1, 2].map((number) => {
				const { kid, n, e } = makeNewKey(number);
				return { kid, kty: 'RSA', alg: 'RS256', use: 'sig', n, e };
			}),
		);
	});

	test('finds keys by name, which several may have, and by key id', () => {
		const remade = { ...makeNewKey(3, { name: 'key-1' }), publishedAt };
		const both: KeyRing = { ...ring, keys: [...ring.keys, remade] };
		expect(keysCalled(both, 'key-1').map(({ kid }) => kid)).toEqual([makeNewKey(1).kid, makeNewKey(3).kid]);
		expect(keysCalled(both, makeNewKey(3).kid)).toEqual([remade]);
		expect(keysCalled(both, 'key')).toEqual([]);
	});
});
