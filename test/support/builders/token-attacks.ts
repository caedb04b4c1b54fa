import { createHmac } from 'node:crypto';

/** What an attacker has to work with: a token's own claims, and ways to sign others. */
export interface Forge {
	/** Claims of a token that is let through. */
	readonly claims: Readonly<Record<string, unknown>>;
	/** The header of such a token. */
	readonly header: Readonly<Record<string, unknown>>;
	/** The moment that it is judged at, in epoch seconds. */
	readonly seconds: number;
	/** The issuer's public key, which everybody can read. */
	readonly publicPem: string;
	/** Signs as the issuer does, where nothing else is said; whatever the claims and the header are. */
	token(payload?: object, head?: object): Promise<string>;
	/** Signs with a key of the attacker's own. */
	ownToken(payload: object, head: object): Promise<string>;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** How long before or after `seconds` a moment is that is surely past or to come: clocks differ between machines. */
const marginSeconds = 120;

/** Claims, well signed, that no authorizer may let through (401). */
export const refusedClaims = ({ claims, seconds }: Pick<Forge, 'claims' | 'seconds'>): readonly (readonly [string, object])[] => [
	['expired', { ...claims, exp: seconds - marginSeconds }],
	['that never expires', { ...claims, exp: undefined }],
	['not valid yet', { ...claims, nbf: seconds + marginSeconds }],
	['issued in the future', { ...claims, iat: seconds + marginSeconds }],
	['of another issuer', { ...claims, iss: `${String(claims['iss'])}/` }],
	['of no issuer', { ...claims, iss: undefined }],
	['for another audience', { ...claims, aud: 'other' }],
	['for no audience', { ...claims, aud: undefined }],
	['for another audience though the client id is ours', { ...claims, aud: 'other', client_id: claims['aud'] }],
];

/** Claims, well signed, of somebody who may not use the service (403). */
export const forbiddenClaims = ({ claims }: Pick<Forge, 'claims'>): readonly (readonly [string, object])[] => [
	['no scope', { ...claims, scope: undefined }],
	['another scope', { ...claims, scope: 'services' }],
];

/** Authorization headers that no authorizer may let through (401); undefined: none is sent. */
export const refusedHeaders: readonly (readonly [string, (forge: Forge) => Promise<string | undefined>])[] = [
	['no header', async () => undefined],
	['an empty header', async () => ''],
	['Bearer alone', async () => 'Bearer '],
	['another scheme', async ({ token }) => `Basic ${await token()}`],
	['no JWT', async () => 'Bearer nonsense'],
	['two parts', async ({ token }) => `Bearer ${(await token()).split('.').slice(0, 2).join('.')}`],
	['another key', async ({ ownToken, claims, header }) => `Bearer ${await ownToken(claims, header)}`],
	[
		'a changed payload',
		async ({ token, claims }) =>
			`Bearer ${(await token()).replace(/\.[^.]+\./, `.${encode({ ...claims, schema: 'plant_b' })}.`)}`,
	],
	['a changed signature', async ({ token }) => `Bearer ${(await token()).slice(0, -6)}AAAAAA`],
	['no signature', async ({ token }) => `Bearer ${(await token()).replace(/[^.]+$/, '')}`],
	['an unknown kid', async ({ token, claims, header }) => `Bearer ${await token(claims, { ...header, kid: 'two' })}`],
	['no kid', async ({ token, claims }) => `Bearer ${await token(claims, { alg: 'RS256' })}`],
	[
		'a critical header that nobody knows',
		async ({ token, claims, header }) => `Bearer ${await token(claims, { ...header, crit: ['x'], x: 1 })}`,
	],
	['alg none', async ({ claims, header }) => `Bearer ${encode({ ...header, alg: 'none' })}.${encode(claims)}.`],
	[
		'HS256 with the public key as its secret',
		async ({ claims, header, publicPem }) => {
			const signed = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`;
			return `Bearer ${signed}.${createHmac('sha256', publicPem).update(signed).digest('base64url')}`;
		},
	],
];
