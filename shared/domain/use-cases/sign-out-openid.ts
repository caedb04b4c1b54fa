import { endSession } from '../identity/provider-session.ts';
import { interactiveProvider } from '../identity/provider-settings.ts';
import type { OpenIdProviders } from '../ports/openid-providers.ts';
import type { OpenIdSignInDeps } from './sign-in-openid.ts';

/** The dependencies of signing out. */
export interface SignOutDeps extends Pick<OpenIdSignInDeps, 'openIdSessions' | 'sessionTokens' | 'sessionIds' | 'consoleUrl'> {
	readonly openId: Pick<OpenIdProviders, 'providers' | 'revoke' | 'endSessionEndpoint'>;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/**
 * Ends a session here, revokes its refresh token at the provider, and returns the address at which the person signs out there, too; null:
 * there is none. The parameter `state` of the address comes back with the person (OpenID Connect RP-Initiated Logout 1.0). A provider that
 * does not answer keeps nobody signed in here.
 * @throws the errors of the stores
 */
export async function signOut(deps: SignOutDeps, sid: string): Promise<string | null> {
	const id = deps.sessionIds.idOf(sid);
	const [session, tokens] = await Promise.all([deps.openIdSessions.find(id, deps.now()), deps.sessionTokens.find(sid)]);
	await endSession(deps, id);
	const provider = session === null ? null : interactiveProvider(deps.openId.providers, session.provider);
	if (provider === null) return null;
	const hasPage = provider.signOut === 'provider' && provider.signOutUrl === undefined;
	// At the same time: a provider that is down costs one time limit, not two.
	const [endpoint] = await Promise.all([
		hasPage ? deps.openId.endSessionEndpoint(provider) : null,
		tokens !== null && tokens.refreshToken !== null ? deps.openId.revoke(provider, tokens.refreshToken) : undefined,
	]);
	if (endpoint === null) return provider.signOut === 'here' ? null : (provider.signOutUrl ?? null);
	const address = new URL(endpoint);
	// Okta and Ping require the ID token, others the client.
	if (tokens !== null && tokens.idToken !== null) address.searchParams.set('id_token_hint', tokens.idToken);
	address.searchParams.set('client_id', provider.clientId);
	address.searchParams.set('post_logout_redirect_uri', deps.consoleUrl);
	address.searchParams.set('state', deps.sessionIds.newSid());
	return address.href;
}
