import { endSession, type OpenIdDeps } from '../identity/provider-session.ts';
import { type Digest, openIdPersonId } from '../identity/subject.ts';
import type { OpenIdProviders } from '../ports/openid-providers.ts';

/** The dependencies of a logout that a provider tells. */
export interface ProviderLogoutDeps extends Pick<OpenIdDeps, 'openIdSessions' | 'sessionTokens'> {
	readonly openId: Pick<OpenIdProviders, 'verifyLogoutToken'>;
	readonly digest: Digest;
}

/**
 * Ends the sessions of a person that began before the provider's logout token (OpenID Connect Back-Channel Logout 1.0): all of that provider,
 * or the one that the token names. A token that comes again after a new sign-in ends nothing.
 * @throws DomainError `sign_in_refused` for a token that is none; the errors of the ports
 */
export async function logOutFromProvider({ openId, digest, ...stores }: ProviderLogoutDeps, logoutToken: string): Promise<void> {
	const { provider, claims } = await openId.verifyLogoutToken(logoutToken);
	const sessions = await stores.openIdSessions.listOf(openIdPersonId(digest, claims.issuer, claims.subject));
	const ended = sessions.filter(
		(session) =>
			session.provider === provider.name &&
			Math.floor(session.createdAt / 1000) <= claims.issuedAt &&
			(claims.session === null || session.providerSession === claims.session),
	);
	await Promise.all(ended.map(({ id }) => endSession(stores, id)));
}
