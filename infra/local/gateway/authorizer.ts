import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose';
import type { PublicKeys } from '#domain/ports/token-signer.ts';

/** The configuration of a JWT authorizer. `now` returns epoch milliseconds. */
export interface AuthorizerSettings {
	readonly issuer: string;
	readonly audience: string;
	readonly requiredScope: string;
	readonly keys: PublicKeys;
	readonly now: () => number;
}

/** Token claims as an HTTP API passes them on: every value as text. */
export type TextClaims = Readonly<Record<string, string>>;

/** The decision on a request. `challenge` is the value of the `WWW-Authenticate` header. */
export type Authorization =
	| { readonly outcome: 'allowed'; readonly claims: TextClaims }
	| { readonly outcome: 'unauthorized' | 'forbidden'; readonly challenge: string };

/** Decides on the `Authorization` header of a request. */
export type Authorizer = (header: string | undefined) => Promise<Authorization>;

/** HTTP APIs accept RSA signatures only. */
const algorithms = ['RS256', 'RS384', 'RS512'];

/** Three parts in base64url without padding (RFC 7515 sections 2 and 7.1). jose would accept padding. */
const compactJws = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Creates an authorizer that checks tokens as API Gateway's JWT authorizer for HTTP APIs does: the signature by the published
 * key that `kid` names, the issuer, the audience, `exp`, `nbf` and `iat`, then the scope. The prefix `Bearer` may be absent.
 */
export function createAuthorizer({ issuer, audience, requiredScope, keys, now }: AuthorizerSettings): Authorizer {
	const invalid: Authorization = { outcome: 'unauthorized', challenge: 'Bearer error="invalid_token"' };

	return async (header) => {
		const token = header?.replace(/^Bearer +/i, '').trim() ?? '';
		if (token === '') return { outcome: 'unauthorized', challenge: 'Bearer' };
		if (!compactJws.test(token)) return invalid;
		const currentDate = new Date(now());
		const keySet = createLocalJWKSet({ keys: (await keys.published()).map((key) => ({ ...key })) });
		const options = { issuer, algorithms, currentDate, requiredClaims: ['exp'] };
		const verified = await jwtVerify(token, keySet, options).catch(() => null);
		if (verified?.protectedHeader.kid === undefined) return invalid;
		const claims = verified.payload;
		const isFromFuture = claims.iat !== undefined && claims.iat * 1000 > currentDate.getTime();
		if (isFromFuture || !audienceMatches(claims, audience)) return invalid;
		if (!scopesOf(claims).includes(requiredScope))
			return { outcome: 'forbidden', challenge: `Bearer scope="${requiredScope}" error="insufficient_scope"` };
		const textClaims = Object.entries(claims).map(([name, value]) => [name, textOf(value)]);
		return { outcome: 'allowed', claims: Object.fromEntries(textClaims) };
	};
}

/** Whether the token is for this audience. Without `aud`, `client_id` must match. */
function audienceMatches({ aud, client_id }: JWTPayload, audience: string): boolean {
	return aud === undefined ? client_id === audience : [aud].flat().includes(audience);
}

function scopesOf({ scope, scp }: JWTPayload): readonly string[] {
	const granted: unknown = scope ?? scp;
	if (typeof granted === 'string') return granted.split(' ');
	return Array.isArray(granted) ? granted.map(String) : [];
}

/** API Gateway writes a list as `[a b]`. */
function textOf(value: unknown): string {
	return Array.isArray(value) ? `[${value.map(String).join(' ')}]` : String(value);
}
