import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PublicKey } from '#domain/ports/token-signer.ts';
import { type Authorization, createAuthorizer } from '#http/authorizer.ts';
import { forbiddenClaims, refusedClaims, refusedHeaders } from '#test/support/builders/token-attacks.ts';

const now = Date.UTC(2026, 10, 21, 12);
const nowSeconds = now / 1000;
const claims = {
	iss: 'https://issuer',
	aud: 'caudal',
	sub: '1',
	schema: 'plant_a',
	tsdb: 'plant_a',
	scope: 'service',
	iat: nowSeconds,
	exp: nowSeconds + 3600,
};
const header = { alg: 'RS256', kid: 'one', typ: 'JWT' };
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('createAuthorizer', () => {
	let key: KeyObject;
	let otherKey: KeyObject;
	let publicPem: string;
	let authorize: (header: string | undefined) => Promise<Authorization>;

	const signatureOf = (text: string, signer: KeyObject = key): string =>
		sign('sha256', Buffer.from(text), signer).toString('base64url');
	const token = (payload: object = claims, head: object = header, signer: KeyObject = key): string => {
		const signed = `${encode(head)}.${encode(payload)}`;
		return `${signed}.${signatureOf(signed, signer)}`;
	};

	beforeAll(() => {
		const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
		key = pair.privateKey;
		publicPem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
		otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
		const { n = '', e = '' } = pair.publicKey.export({ format: 'jwk' });
		const published: PublicKey = { kid: 'one', kty: 'RSA', alg: 'RS256', use: 'sig', n, e };
		const authorizer = createAuthorizer({
			issuer: 'https://issuer',
			audience: 'caudal',
			keys: { published: async () => [published] },
			now: () => now,
		});
		authorize = (sent) => authorizer(sent, ['service', 'read']);
	});

	test('allows a token with and without the Bearer prefix, and returns its claims as text', async () => {
		const allowed = { outcome: 'allowed', claims: { ...claims, iat: String(nowSeconds), exp: String(nowSeconds + 3600) } };
		expect(await authorize(`Bearer ${token()}`)).toEqual(allowed);
		expect(await authorize(`bearer ${token()}`)).toEqual(allowed);
		expect(await authorize(token())).toEqual(allowed);
	});

	test.each<[string, object]>([
		['a list of audiences that contains ours', { ...claims, aud: ['other', 'caudal'] }],
		['a client id in place of an audience', { ...claims, aud: undefined, client_id: 'caudal' }],
		['several scopes', { ...claims, scope: 'openid service' }],
		['another scope of the route', { ...claims, scope: 'read' }],
		['one second left', { ...claims, exp: nowSeconds + 1 }],
		['a not-before time of now', { ...claims, nbf: nowSeconds }],
	])('allows a token with %s', async (_, payload) => {
		expect(await authorize(`Bearer ${token(payload)}`)).toMatchObject({ outcome: 'allowed' });
	});

	test.each<readonly [string, object]>([
		...refusedClaims({ claims, nowSeconds }),
		['expired a second ago', { ...claims, exp: nowSeconds - 1 }],
		['expiring now', { ...claims, exp: nowSeconds }],
		['valid in a second', { ...claims, nbf: nowSeconds + 1 }],
		['issued in a second', { ...claims, iat: nowSeconds + 1 }],
	])('refuses a token %s', async (_, payload) => {
		expect(await authorize(`Bearer ${token(payload)}`)).toMatchObject({ outcome: 'unauthorized' });
	});

	test('says of a token that it has expired, where nothing else is wrong with it', async () => {
		const challenge = 'Bearer scope="service read" error="invalid_token" error_description="the token has expired"';
		expect(await authorize(token({ ...claims, exp: nowSeconds }))).toEqual({ outcome: 'unauthorized', challenge });
		expect(await authorize(token({ ...claims, exp: nowSeconds, aud: 'other' }))).toMatchObject({
			challenge: 'Bearer error="invalid_token"',
		});
	});

	test.each(refusedHeaders)('refuses %s', async (_, makeHeader) => {
		const context = {
			...{ claims, header, nowSeconds, publicPem },
			token: async (payload?: object, head?: object) => token(payload, head),
			attackerToken: async (payload: object, head: object) => token(payload, head, otherKey),
		};
		expect(await authorize(await makeHeader(context))).toMatchObject({
			outcome: 'unauthorized',
			challenge: expect.stringMatching(/^Bearer/),
		});
	});

	// RFC 7515 section 2: base64url is written without padding.
	describe.each([
		['header', 0],
		['payload', 1],
		['signature', 2],
	] as const)('with padding after the %s', (_, padded) => {
		const invalid = { outcome: 'unauthorized', challenge: 'Bearer error="invalid_token"' };
		const pad = (part: string, index: number) => (index === padded ? `${part}==` : part);
		/** Adds a filler, so that the encoding has a length that base64 pads with `==`. A signature has such a length. */
		const withFiller = (value: object): object =>
			['', 'x', 'xx'].map((filler) => ({ ...value, filler })).find((each) => encode(each).length % 4 === 2) ?? {};

		test('refuses a valid token with padding added', async () => {
			const valid = token(withFiller(claims), withFiller(header));
			expect(await authorize(`Bearer ${valid}`)).toMatchObject({ outcome: 'allowed' });
			expect(await authorize(`Bearer ${valid}=`)).toEqual(invalid);
			expect(await authorize(`Bearer ${valid.split('.').map(pad).join('.')}`)).toEqual(invalid);
		});

		test('refuses a token that was signed with the padding', async () => {
			const signed = [encode(withFiller(header)), encode(withFiller(claims))].map(pad).join('.');
			expect(await authorize(`Bearer ${signed}.${pad(signatureOf(signed), 2)}`)).toEqual(invalid);
		});
	});

	test.each(forbiddenClaims({ claims }))('forbids a token with %s', async (_, payload) => {
		expect(await authorize(`Bearer ${token(payload)}`)).toMatchObject({ outcome: 'forbidden' });
	});
});
