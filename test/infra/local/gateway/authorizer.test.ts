import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Authorizer, createAuthorizer } from '../../../../infra/local/gateway/authorizer.ts';
import type { PublicKey } from '../../../../shared/domain/ports/token-signer.ts';

const now = Date.UTC(2026, 10, 21, 12);
const seconds = now / 1000;
const claims = {
	iss: 'https://issuer',
	aud: 'caudal',
	sub: '1',
	schema: 'plant_a',
	tsdb: 'plant_a',
	scope: 'service',
	iat: seconds,
	exp: seconds + 3600,
};
const header = { alg: 'RS256', kid: 'one', typ: 'JWT' };
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('the JWT authorizer', () => {
	let key: KeyObject;
	let otherKey: KeyObject;
	let publicPem: string;
	let authorize: Authorizer;

	const token = (payload: object = claims, head: object = header, signer: KeyObject = key, hash = 'sha256'): string => {
		const signed = `${encode(head)}.${encode(payload)}`;
		return `${signed}.${sign(hash, Buffer.from(signed), signer).toString('base64url')}`;
	};

	beforeAll(() => {
		const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
		key = pair.privateKey;
		publicPem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
		otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
		const { n = '', e = '' } = pair.publicKey.export({ format: 'jwk' });
		const published: PublicKey = { kid: 'one', kty: 'RSA', alg: 'RS256', use: 'sig', n, e };
		authorize = createAuthorizer({
			issuer: 'https://issuer',
			audience: 'caudal',
			requiredScope: 'service',
			keys: { published: async () => [published] },
			now: () => now,
		});
	});

	test('lets a token through with its claims as text, with and without the Bearer prefix', async () => {
		const allowed = { outcome: 'allowed', claims: { ...claims, iat: String(seconds), exp: String(seconds + 3600) } };
		expect(await authorize(`Bearer ${token()}`)).toEqual(allowed);
		expect(await authorize(`bearer ${token()}`)).toEqual(allowed);
		expect(await authorize(token())).toEqual(allowed);
	});

	test.each<[string, object]>([
		['a list of audiences with ours', { ...claims, aud: ['other', 'caudal'] }],
		['a client id in place of an audience', { ...claims, aud: undefined, client_id: 'caudal' }],
		['several scopes', { ...claims, scope: 'openid service' }],
		['one second left', { ...claims, exp: seconds + 1 }],
		['a not-before of now', { ...claims, nbf: seconds }],
	])('lets through %s', async (_, payload) => {
		expect(await authorize(`Bearer ${token(payload)}`)).toMatchObject({ outcome: 'allowed' });
	});

	test.each<[string, object]>([
		['expired', { ...claims, exp: seconds - 1 }],
		['expiring now', { ...claims, exp: seconds }],
		['that never expires', { ...claims, exp: undefined }],
		['not valid yet', { ...claims, nbf: seconds + 1 }],
		['issued in the future', { ...claims, iat: seconds + 1 }],
		['of another issuer', { ...claims, iss: 'https://issuer/' }],
		['of no issuer', { ...claims, iss: undefined }],
		['for another audience', { ...claims, aud: 'other' }],
		['for no audience', { ...claims, aud: undefined }],
		['for another audience though the client id is ours', { ...claims, aud: 'other', client_id: 'caudal' }],
	])('refuses a token %s', async (_, payload) => {
		expect(await authorize(`Bearer ${token(payload)}`)).toMatchObject({ outcome: 'unauthorized' });
	});

	test.each<[string, () => string | undefined]>([
		['no header', () => undefined],
		['an empty header', () => ''],
		['Bearer alone', () => 'Bearer '],
		['another scheme', () => `Basic ${token()}`],
		['no JWT', () => 'Bearer nonsense'],
		['two parts', () => `Bearer ${token().split('.').slice(0, 2).join('.')}`],
		['another key', () => `Bearer ${token(claims, header, otherKey)}`],
		['a changed payload', () => `Bearer ${token().replace(/\.[^.]+\./, `.${encode({ ...claims, schema: 'plant_b' })}.`)}`],
		['a changed signature', () => `Bearer ${token().slice(0, -6)}AAAAAA`],
		['no signature', () => `Bearer ${token().replace(/[^.]+$/, '')}`],
		['an unknown kid', () => `Bearer ${token(claims, { ...header, kid: 'two' })}`],
		['no kid', () => `Bearer ${token(claims, { alg: 'RS256' })}`],
		['a critical header that nobody knows', () => `Bearer ${token(claims, { ...header, crit: ['x'], x: 1 })}`],
		['alg none', () => `Bearer ${encode({ ...header, alg: 'none' })}.${encode(claims)}.`],
		[
			'HS256 with the public key as its secret',
			() => {
				const signed = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`;
				return `Bearer ${signed}.${createHmac('sha256', publicPem).update(signed).digest('base64url')}`;
			},
		],
	])('refuses %s', async (_, given) => {
		expect(await authorize(given())).toMatchObject({ outcome: 'unauthorized', challenge: expect.stringMatching(/^Bearer/) });
	});

	test.each<[string, object]>([
		['no scope', { ...claims, scope: undefined }],
		['another scope', { ...claims, scope: 'services' }],
	])('forbids a token with %s', async (_, payload) => {
		expect(await authorize(`Bearer ${token(payload)}`)).toMatchObject({ outcome: 'forbidden' });
	});
});
