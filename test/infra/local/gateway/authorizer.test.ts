import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PublicKey } from '#domain/ports/token-signer.ts';
import { type Authorizer, createAuthorizer } from '#infra/local/gateway/authorizer.ts';
import { forbiddenClaims, refusedClaims, refusedHeaders } from '#test/support/builders/token-attacks.ts';

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

	test.each<readonly [string, object]>([
		...refusedClaims({ claims, seconds }),
		['expired a second ago', { ...claims, exp: seconds - 1 }],
		['expiring now', { ...claims, exp: seconds }],
		['valid in a second', { ...claims, nbf: seconds + 1 }],
		['issued in a second', { ...claims, iat: seconds + 1 }],
	])('refuses a token %s', async (_, payload) => {
		expect(await authorize(`Bearer ${token(payload)}`)).toMatchObject({ outcome: 'unauthorized' });
	});

	test.each(refusedHeaders)('refuses %s', async (_, given) => {
		const forge = {
			...{ claims, header, seconds, publicPem },
			token: async (payload?: object, head?: object) => token(payload, head),
			ownToken: async (payload: object, head: object) => token(payload, head, otherKey),
		};
		expect(await authorize(await given(forge))).toMatchObject({
			outcome: 'unauthorized',
			challenge: expect.stringMatching(/^Bearer/),
		});
	});

	test.each(forbiddenClaims({ claims }))('forbids a token with %s', async (_, payload) => {
		expect(await authorize(`Bearer ${token(payload)}`)).toMatchObject({ outcome: 'forbidden' });
	});
});
