import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose';
import type { PublicKeys } from '#domain/ports/token-signer.ts';

/** What API Gateway's JWT authorizer is configured with. */
export interface AuthorizerSettings {
	readonly issuer: string;
	readonly audience: string;
	readonly requiredScope: string;
	readonly keys: PublicKeys;
	readonly now: () => number;
}

/** Claims as an HTTP API passes them on: all text. */
export type TextClaims = Readonly<Record<string, string>>;

export type Authorization =
	| { readonly outcome: 'allowed'; readonly claims: TextClaims }
	| { readonly outcome: 'unauthorized' | 'forbidden'; readonly challenge: string };

/** HTTP APIs accept RSA signatures only. */
const algorithms = ['RS256', 'RS384', 'RS512'];

/**
 * Checks tokens as API Gateway's JWT authorizer for HTTP APIs does: signature by the published key that `kid` names, exact
 * issuer, audience, `exp`, `nbf` and `iat` against the clock, then the route's scope. The header may hold the token alone.
 */
export function createAuthorizer({ issuer, audience, requiredScope, keys, now }: AuthorizerSettings) {
	const unauthorized = (challenge: string): Authorization => ({ outcome: 'unauthorized', challenge });
	const invalid = unauthorized('Bearer error="invalid_token"');

	return async (header: string | undefined): Promise<Authorization> => {
		const token = header?.replace(/^Bearer +/i, '').trim() ?? '';
		if (token === '') return unauthorized('Bearer');
		const currentDate = new Date(now());
		const keySet = createLocalJWKSet({ keys: (await keys.published()).map((key) => ({ ...key })) });
		const verified = await jwtVerify(token, keySet, { issuer, algorithms, currentDate, requiredClaims: ['exp'] }).catch(
			() => null,
		);
		if (verified === null || verified.protectedHeader.kid === undefined) return invalid;
		const claims = verified.payload;
		const issuedLater = claims.iat !== undefined && claims.iat * 1000 > currentDate.getTime();
		if (issuedLater || !meant(claims, audience)) return invalid;
		if (!scopesOf(claims).includes(requiredScope))
			return { outcome: 'forbidden', challenge: `Bearer scope="${requiredScope}" error="insufficient_scope"` };
		return {
			outcome: 'allowed',
			claims: Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, textOf(value)])),
		};
	};
}

export type Authorizer = ReturnType<typeof createAuthorizer>;

/** The audience must match; `client_id` counts only where there is none. */
function meant({ aud, client_id }: JWTPayload, audience: string): boolean {
	if (aud === undefined) return client_id === audience;
	return Array.isArray(aud) ? aud.includes(audience) : aud === audience;
}

function scopesOf({ scope, scp }: JWTPayload): readonly string[] {
	const granted: unknown = scope ?? scp;
	if (typeof granted === 'string') return granted.split(' ');
	return Array.isArray(granted) ? granted.map(String) : [];
}

const textOf = (value: unknown): string => (Array.isArray(value) ? `[${value.map(String).join(' ')}]` : String(value));
