import { endsSession } from '../identity/provider-logout.ts';
import { endSession, type OpenIdDeps } from '../identity/provider-session.ts';
import { type Digest, openIdPersonId } from '../identity/subject.ts';
import type { OpenIdProviders } from '../ports/openid-providers.ts';
import type { ProviderLogout } from '../ports/openid-sessions.ts';

/** How long a logout is kept: the longest life of a token that is exchanged, and the tolerance of clocks. */
const keptMs = 25 * 3_600_000;

/** How long the list of a person's sessions may lack one that was just stored. */
const listLagMs = 1000;

/** The dependencies of a logout that a provider tells. */
export interface ProviderLogoutDeps extends Pick<OpenIdDeps, 'openIdSessions' | 'sessionTokens'> {
	readonly openId: Pick<OpenIdProviders, 'verifyLogoutToken'>;
	readonly digest: Digest;
	/** Epoch milliseconds. */
	readonly now: () => number;
	/** Waits for some milliseconds. */
	readonly wait: (milliseconds: number) => Promise<void>;
}

/**
 * Ends the sessions of a person that began with a token from before the provider's logout token (OpenID Connect Back-Channel Logout 1.0):
 * all of that provider, or those of the session that the token names. The logout is kept first: a sign-in or an exchange that is under way,
 * and stores its session later, finds it. A token that comes again after a new sign-in ends nothing.
 * @throws DomainError `sign_in_refused` for a token that is none; the errors of the ports
 */
export async function logOutFromProvider(deps: ProviderLogoutDeps, logoutToken: string): Promise<void> {
	const { provider, claims } = await deps.openId.verifyLogoutToken(logoutToken);
	const { issuer, subject, session: providerSession, issuedAt } = claims;
	const person = openIdPersonId(deps.digest, issuer, subject);
	const logout = { person, provider: provider.name, providerSession, issuedAt };
	await deps.openIdSessions.noteLogout(logout, deps.now() + keptMs);
	await endSessions(deps, logout);
	await deps.wait(listLagMs);
	await endSessions(deps, logout);
}

async function endSessions(deps: ProviderLogoutDeps, logout: ProviderLogout): Promise<void> {
	const sessions = await deps.openIdSessions.listOf(logout.person);
	await Promise.all(sessions.filter((each) => endsSession(logout, each)).map(({ id }) => endSession(deps, id)));
}
