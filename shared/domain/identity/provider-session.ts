import type { Grants } from '../ports/grants.ts';
import type { OpenIdProviders, ProviderTokens, VerifiedClaims } from '../ports/openid-providers.ts';
import type { OpenIdSessions, OpenIdSessionTokens, SessionIds } from '../ports/openid-sessions.ts';
import type { Claims } from './claims.ts';
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

/**
 * Returns the claims of an ID token, joined with those of the userinfo endpoint where the provider is set so. The ID token's are kept. An
 * e-mail and whether it is verified come from one of the two: else somebody's own address would verify another's.
 */
export async function withUserinfo(
	openId: Pick<OpenIdProviders, 'userinfo'>,
	provider: InteractiveProvider,
	{ accessToken }: Pick<ProviderTokens, 'accessToken'>,
	verified: Pick<VerifiedClaims, 'sub'> & Claims,
): Promise<Claims> {
	if (!provider.userinfo) return verified;
	const userinfo = await openId.userinfo(provider, accessToken, verified.sub);
	const { email, email_verified } = 'email' in verified ? verified : userinfo;
	return { ...userinfo, ...verified, email, email_verified };
}

/** Deletes a session with its tokens. The session goes first: with it ends what its tokens may do. */
export async function endSession(
	{ openIdSessions, sessionTokens }: Pick<OpenIdDeps, 'openIdSessions' | 'sessionTokens'>,
	id: string,
): Promise<void> {
	await openIdSessions.remove(id);
	await sessionTokens.remove(id);
}
