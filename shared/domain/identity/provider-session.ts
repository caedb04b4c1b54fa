import type { Grants } from '../ports/grants.ts';
import type { OpenIdProviders, ProviderTokens } from '../ports/openid-providers.ts';
import type { OpenIdSessions, OpenIdSessionTokens, SessionIds } from '../ports/openid-sessions.ts';
import { type Claims, hasClaim } from './claims.ts';
import type { GrantedTenantsDeps, RecordedClaims } from './granted-tenants.ts';
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
	return { ...userinfo, ...idToken, email, email_verified };
}

/**
 * Returns the recorded claims of an ID token of which the userinfo endpoint says nothing. What it says of the others later holds alone, so
 * that whoever was removed from a group does not keep it by an old ID token.
 */
export function withoutThoseOf(userinfo: Claims | null, recorded: RecordedClaims): RecordedClaims {
	return Object.fromEntries(Object.entries(recorded).filter(([name]) => userinfo === null || !hasClaim(userinfo, name)));
}

/** Deletes a session with its tokens. The session goes first: with it ends what its tokens may do. */
export async function endSession(
	{ openIdSessions, sessionTokens }: Pick<OpenIdDeps, 'openIdSessions' | 'sessionTokens'>,
	id: string,
): Promise<void> {
	await openIdSessions.remove(id);
	await sessionTokens.remove(id);
}
