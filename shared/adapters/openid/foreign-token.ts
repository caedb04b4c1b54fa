import type { OpenIdProvider } from '#domain/identity/provider-settings.ts';
import type { VerifiedClaims } from '#domain/ports/openid-providers.ts';
import type { CachedRead } from '../cached-read.ts';
import type { KeyLookup } from './provider-keys.ts';
import { audiencesOf, refused, requiredClaims, rereadPauseMs, unverifiedClaims, verifyToken } from './verify-token.ts';

const kind = 'exchanged token';

/** The longest life of a token that is exchanged: one that lives longer is stolen more easily than it is renewed. */
const maxLifeSeconds = 24 * 3600;

/** The shortest rest of it, which is the rest of the token that it is exchanged for. */
const minRestSeconds = 60;

/**
 * Returns the claims of a token that a provider gave to another program (RFC 8693; RFC 9068), which anybody may have sent. Tokens that say
 * who signed in, or that a session is over, let nobody in.
 * @throws DomainError `sign_in_refused`, `dependency_failed`, `dependency_slow`
 */
export async function verifyForeign(
	token: string,
	providers: readonly OpenIdProvider[],
	keys: (provider: OpenIdProvider) => CachedRead<KeyLookup>,
	now: number,
): Promise<{ readonly provider: OpenIdProvider; readonly claims: VerifiedClaims }> {
	const { iss, aud } = unverifiedClaims(token, kind);
	const provider = providers.find(
		({ issuer, audiences }) => issuer === iss && audiences.some((audience) => audiencesOf(aud).includes(audience)),
	);
	if (provider === undefined) throw refused(kind, 'no provider with this iss and aud');
	const claims = await verifyToken(
		{ token, provider, keys: keys(provider), now },
		{
			kind,
			types: ['jwt', 'at+jwt'],
			claims: requiredClaims(provider),
			rereadPauseMs,
			fault: (claims) => faultOf(claims, provider, now / 1000),
		},
	);
	return { provider, claims };
}

function faultOf(claims: VerifiedClaims, { clients }: OpenIdProvider, nowSeconds: number): string | null {
	const { iat, exp, events, nonce, typ, token_use: use, azp, client_id: client } = claims;
	if (clients.length > 0 && !clients.some((each) => each === azp || each === client)) return 'azp or client_id';
	if (events !== undefined) return 'events';
	if (nonce !== undefined) return 'nonce';
	// Keycloak and Cognito tell their kinds of tokens apart by these.
	if (typ !== undefined && typ !== 'Bearer') return 'typ';
	if (use !== undefined && use !== 'access') return 'token_use';
	if (exp - iat > maxLifeSeconds) return 'longer than a day';
	return exp - nowSeconds < minRestSeconds ? 'over' : null;
}
