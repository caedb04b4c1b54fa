import { isUtf8 } from 'node:buffer';
import * as v from 'valibot';
import type { PublicKeys } from '#domain/ports/token-signer.ts';
import { verifySignature } from './jws.ts';

/** The configuration of a JWT authorizer. `now` returns epoch milliseconds. */
export interface AuthorizerSettings {
	readonly issuer: string;
	readonly audience: string;
	readonly keys: PublicKeys;
	readonly now: () => number;
}

/** Token claims as an HTTP API passes them on: every value as text. */
export type TextClaims = Readonly<Record<string, string>>;

/** The decision on a request. `challenge` is the value of the `WWW-Authenticate` header. */
export type Authorization =
	| { readonly outcome: 'allowed'; readonly claims: TextClaims }
	| { readonly outcome: 'unauthorized' | 'forbidden'; readonly challenge: string };

/** Decides on the `Authorization` header of a request. The token needs any of the scopes of the route. */
export type Authorizer = (header: string | undefined, routeScopes: readonly string[]) => Promise<Authorization>;

/** The claims that decide on a token (RFC 7519 section 4.1). Times are in seconds since the epoch. */
const claimsSchema = v.looseObject({
	iss: v.string(),
	exp: v.number(),
	nbf: v.optional(v.number()),
	iat: v.optional(v.number()),
	aud: v.optional(v.union([v.string(), v.array(v.string())])),
});

type DecodedClaims = v.InferOutput<typeof claimsSchema>;

const payloadSchema = v.pipe(v.string(), v.parseJson(), claimsSchema);

/**
 * Creates an authorizer that checks tokens as API Gateway's JWT authorizer for HTTP APIs does: the signature by the published
 * key that `kid` names, the issuer, the audience, `exp`, `nbf` and `iat`, then the scope. The prefix `Bearer` may be absent.
 */
export function createAuthorizer({ issuer, audience, keys, now }: AuthorizerSettings): Authorizer {
	const invalidToken: Authorization = { outcome: 'unauthorized', challenge: 'Bearer error="invalid_token"' };

	return async (header, routeScopes) => {
		const scopeChallenge = `Bearer scope="${routeScopes.join(' ')}"`;
		const token = header?.replace(/^Bearer +/i, '').trim() ?? '';
		if (token === '') return { outcome: 'unauthorized', challenge: 'Bearer' };
		const claims = parseClaims(await verifySignature(token, await keys.published()));
		const nowSeconds = now() / 1000;
		if (claims === null || claims.iss !== issuer || !hasBegun(claims, nowSeconds) || !audienceMatches(claims, audience))
			return invalidToken;
		if (nowSeconds >= claims.exp) {
			const challenge = `${scopeChallenge} error="invalid_token" error_description="the token has expired"`;
			return { outcome: 'unauthorized', challenge };
		}
		if (!scopesOf(claims).some((scope) => routeScopes.includes(scope)))
			return { outcome: 'forbidden', challenge: `${scopeChallenge} error="insufficient_scope"` };
		const textClaims = Object.entries(claims).map(([name, value]) => [name, textOf(value)]);
		return { outcome: 'allowed', claims: Object.fromEntries(textClaims) };
	};
}

/** Parses the payload of a token. Returns null when it is not JSON claims in UTF-8. */
function parseClaims(payload: Uint8Array | null): DecodedClaims | null {
	if (payload === null || !isUtf8(payload)) return null;
	const result = v.safeParse(payloadSchema, Buffer.from(payload).toString());
	return result.success ? result.output : null;
}

/** Whether the times in `nbf` and `iat` have come. A claim that is absent is met. */
function hasBegun({ nbf, iat }: DecodedClaims, nowSeconds: number): boolean {
	return (nbf ?? nowSeconds) <= nowSeconds && (iat ?? nowSeconds) <= nowSeconds;
}

/** Whether the token is for this audience. Without `aud`, `client_id` must match. */
function audienceMatches({ aud, client_id }: DecodedClaims, audience: string): boolean {
	return aud === undefined ? client_id === audience : [aud].flat().includes(audience);
}

/** The scopes of a token: text that is split at spaces, or a list. Some issuers call the claim `scp`. */
function scopesOf({ scope, scp }: DecodedClaims): readonly string[] {
	const granted: unknown = scope ?? scp;
	if (typeof granted === 'string') return granted.split(' ');
	return Array.isArray(granted) ? granted.map(String) : [];
}

/** API Gateway writes a list as `[a b]`. */
function textOf(value: unknown): string {
	return Array.isArray(value) ? `[${value.map(String).join(' ')}]` : String(value);
}
