import type { OpenIdSession, ProviderLogout } from '../ports/openid-sessions.ts';

/** What of a session says which logouts are of it. */
type LoggedOut = Pick<OpenIdSession, 'person' | 'provider' | 'providerSession' | 'issuedAt'>;

/**
 * Returns whether a logout ends a session: one whose token the provider issued no later. Both times are by the provider's clock. A session
 * at the provider is its issuer's, so a logout of one ends what was exchanged with another entry of that issuer, too.
 */
export function endsSession(logout: ProviderLogout, session: LoggedOut): boolean {
	return logoutKeysOf(session).includes(logoutKey(logout)) && session.issuedAt <= logout.issuedAt;
}

/** Returns the text that tells logouts apart: for each, the latest is kept. */
export function logoutKey({ person, provider, providerSession }: Omit<ProviderLogout, 'issuedAt'>): string {
	return JSON.stringify(providerSession === null ? [person, 'provider', provider] : [person, 'session', providerSession]);
}

/** Returns the texts of the logouts that may end a session. */
export function logoutKeysOf({ person, provider, providerSession }: Omit<LoggedOut, 'issuedAt'>): readonly string[] {
	const ofAll = logoutKey({ person, provider, providerSession: null });
	return providerSession === null ? [ofAll] : [ofAll, logoutKey({ person, provider, providerSession })];
}
