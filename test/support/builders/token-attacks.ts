import { createHmac } from 'node:crypto';

/** The material of an attacker: the claims of a valid token, and ways to sign other tokens. */
export interface AttackContext {
	/** Claims of a token that is accepted. */
	readonly claims: Readonly<Record<string, unknown>>;
	/** The header of that token. */
	readonly header: Readonly<Record<string, unknown>>;
	/** The current time in epoch seconds. */
	readonly nowSeconds: number;
	/** The issuer's public key, which is public. */
	readonly publicPem: string;
	/** Signs a token with the issuer's key; by default with `claims` and `header`. */
	token(payload?: object, header?: object): Promise<string>;
	/** Signs a token with the attacker's own key. */
	attackerToken(payload: object, header: object): Promise<string>;
}

/** Seconds by which a time must differ from the current one to be past or future on every machine, as clocks differ. */
const marginSeconds = 120;

/** Authorization headers that an authorizer must refuse (401); undefined: none is sent. */
export const refusedHeaders: readonly (readonly [string, (forge: AttackContext) => Promise<string | undefined>])[] = [
	['no header', async () => undefined],
	['an empty header', async () => ''],
	['Bearer alone', async () => 'Bearer '],
	['another scheme', async ({ token }) => `Basic ${await token()}`],
	['no JWT', async () => 'Bearer nonsense'],
	['two parts', async ({ token }) => `Bearer ${(await token()).split('.').slice(0, 2).join('.')}`],
	['another key', async ({ attackerToken, claims, header }) => `Bearer ${await attackerToken(claims, header)}`],
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
		'an unknown critical header',
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

/** Returns claims of correctly signed tokens that an authorizer must refuse (401). */
export function refusedClaims({
	claims,
	nowSeconds,
}: Pick<AttackContext, 'claims' | 'nowSeconds'>): readonly (readonly [string, object])[] {
	return [
		['expired', { ...claims, exp: nowSeconds - marginSeconds }],
		['without an expiry', { ...claims, exp: undefined }],
		['not valid yet', { ...claims, nbf: nowSeconds + marginSeconds }],
		['issued in the future', { ...claims, iat: nowSeconds + marginSeconds }],
		['of another issuer', { ...claims, iss: `${String(claims['iss'])}/` }],
		['of no issuer', { ...claims, iss: undefined }],
		['for another audience', { ...claims, aud: 'other' }],
		['for no audience', { ...claims, aud: undefined }],
		['for another audience but with our client id', { ...claims, aud: 'other', client_id: claims['aud'] }],
	];
}

/** Returns claims of correctly signed tokens whose user may not use the service (403). */
export function forbiddenClaims({ claims }: Pick<AttackContext, 'claims'>): readonly (readonly [string, object])[] {
	return [
		['no scope', { ...claims, scope: undefined }],
		['another scope', { ...claims, scope: 'services' }],
	];
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
