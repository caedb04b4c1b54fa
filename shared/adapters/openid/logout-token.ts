import * as v from 'valibot';
import { type InteractiveProvider, interactiveProvider, type OpenIdProvider } from '#domain/identity/provider-settings.ts';
import type { LogoutClaims } from '#domain/ports/openid-providers.ts';
import type { CachedRead } from '../cached-read.ts';
import type { KeyLookup } from './provider-keys.ts';
import { audiencesOf, refused, requiredClaims, rereadPauseMs, unverifiedClaims, verifyToken } from './verify-token.ts';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * Returns the claims of a logout token (OpenID Connect Back-Channel Logout 1.0, sections 2.4 and 2.6), which anybody may have sent. One
 * without `sub` is refused: sessions are found by their person.
 * @throws DomainError `sign_in_refused`, `dependency_failed`, `dependency_slow`
 */
export async function verifyLogoutToken(
	token: string,
	providers: readonly OpenIdProvider[],
	keys: (provider: OpenIdProvider) => CachedRead<KeyLookup>,
	now: number,
): Promise<{ readonly provider: InteractiveProvider; readonly claims: LogoutClaims }> {
	const { iss, aud } = unverifiedClaims(token, kind);
	const found = providers.find(({ issuer, clientId }) => issuer === iss && audiencesOf(aud).includes(clientId));
	const provider = found && interactiveProvider(providers, found.name);
	if (!provider) throw refused(kind, 'no provider with this iss and aud');
	const { exp, ...required } = requiredClaims(provider).entries;
	const claims = v.looseObject({ ...required, exp: v.optional(exp), sid: v.optional(v.string()) });
	const verified = await verifyToken(
		{ token, provider, keys: keys(provider), now },
		{
			kind,
			types: ['jwt', 'logout+jwt'],
			claims,
			rereadPauseMs,
			fault: ({ events, nonce }) => {
				if (nonce !== undefined) return 'nonce';
				return v.is(eventsSchema, events) ? null : 'events';
			},
		},
	);
	const { iss: issuer, sub: subject, sid, iat: issuedAt } = verified;
	return { provider, claims: { issuer, subject, session: sid ?? null, issuedAt } };
}

const kind = 'logout token';

const eventsSchema = v.strictObject({ [logoutEvent]: v.looseObject({}) });
