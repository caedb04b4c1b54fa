import type { Grants } from '../ports/grants.ts';
import type { OpenIdProviders, ProviderTokens } from '../ports/openid-providers.ts';
import type { OpenIdSessions, OpenIdSessionTokens, SessionIds } from '../ports/openid-sessions.ts';
import { type Claims, hasClaim } from './claims.ts';
import type { GrantedTenantsDeps } from './granted-tenants.ts';
import type { IssueDeps } from './issue-token.ts';
import type { InteractiveProvider } from './provider-settings.ts';
import type { Digest } from './subject.ts';

/** The dependencies of the sessions of OpenID providers. */
export interface OpenIdDeps extends GrantedTenantsDeps, IssueDeps {
	readonly openId: OpenIdProviders;
	readonly grants: Grants;
	readonly openIdSessions: OpenIdSessions;
	readonly sessionTokens: OpenIdSessionTokens;
	readonly sessionIds: SessionIds;
	readonly digest: Digest;
}

/** Returns what the userinfo endpoint says of a subject; null: the provider is not set so. */
export async function userinfoOf(
	openId: Pick<OpenIdProviders, 'userinfo'>,
	provider: InteractiveProvider,
	{ accessToken }: Pick<ProviderTokens, 'accessToken'>,
	subject: string,
): Promise<Claims | null> {
	return provider.userinfo ? openId.userinfo(provider, accessToken, subject) : null;
}

/**
 * Returns the claims of an ID token, joined with those of the userinfo endpoint. The ID token's are kept. An e-mail and whether it is
 * verified come from one of the two: else somebody's own address would verify another's.
 */
export function joinedClaims(idToken: Claims, userinfo: Claims | null): Claims {
	if (userinfo === null) return idToken;
	const { email, email_verified } = 'email' in idToken ? idToken : userinfo;
	return { ...withoutThoseOf(idToken, userinfo), ...idToken, email, email_verified };
}

/**
 * Returns the claims of which others say nothing. Of the recorded claims of an ID token, the userinfo endpoint's are left out so: what it says of
 * them later holds alone, so that whoever was removed from a group does not keep it by an old ID token.
 */
export function withoutThoseOf<Value>(others: Claims | null, claims: Readonly<Record<string, Value>>): Record<string, Value> {
	return Object.fromEntries(Object.entries(claims).filter(([name]) => others === null || !hasClaim(others, name)));
}

/** Deletes a session with its tokens. The session goes first: with it ends what its tokens may do. */
export async function endSession(
	{
		openIdSessions,
		sessionTokens,
	}: {
		readonly openIdSessions: Pick<OpenIdSessions, 'remove'>;
		readonly sessionTokens: Pick<OpenIdSessionTokens, 'remove'>;
	},
	id: string,
): Promise<void> {
	await openIdSessions.remove(id);
	await sessionTokens.remove(id);
}
