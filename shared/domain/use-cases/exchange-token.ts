import { machineActor } from '../access/actor.ts';
import { grantedScope } from '../access/token-settings.ts';
import type { SessionEvent } from '../changes/session-entry.ts';
import { DomainError, messageOf } from '../errors.ts';
import { type GrantedTenant, grantedTenants, recordedClaims } from '../identity/granted-tenants.ts';
import { notedRole, signSessionToken } from '../identity/issue-token.ts';
import type { OpenIdDeps } from '../identity/provider-session.ts';
import type { OpenIdProvider } from '../identity/provider-settings.ts';
import { shownName, shownSubject } from '../identity/shown-name.ts';
import { openIdPersonId, programId } from '../identity/subject.ts';
import type { VerifiedClaims } from '../ports/openid-providers.ts';
import type { OpenIdSession } from '../ports/openid-sessions.ts';

/** The dependencies of exchanging a provider's token. */
export interface ExchangeTokenDeps extends Omit<OpenIdDeps, 'sessionTokens'> {
	/** Adds a sign-in to the journal of changes of a schema. */
	readonly tell: (schema: string, event: SessionEvent) => Promise<void>;
}

/** The request of a client that has a token of a provider (RFC 8693, section 2.1). */
export interface TokenExchange {
	readonly subjectToken: string;
	/** The schema that the token is for; null: the only one. */
	readonly schema: string | null;
	/** The requested scopes, separated by spaces; empty: the widest of the role. */
	readonly scope: string;
}

/** A token of the service, or why there is none, by the error codes of RFC 6749, section 5.2, and RFC 8693, section 2.2.2. */
export type ExchangedToken =
	| { readonly token: string; readonly expiresInSeconds: number; readonly scope: string }
	| { readonly error: 'invalid_request' /** For the log. */; readonly cause: string }
	| { readonly error: 'invalid_target' | 'invalid_scope' };

/**
 * Exchanges an access token of an OpenID provider for a token of the service that ends with it. The signature is checked before any row is
 * read. A session without tokens is stored, so that a grant that is removed holds at once.
 * @param source the network address that the request came from
 * @param now epoch milliseconds
 * @throws the errors of the ports
 */
export async function exchangeToken(
	deps: ExchangeTokenDeps,
	{ subjectToken, schema, scope: askedScope }: TokenExchange,
	source: string,
	now: number,
): Promise<ExchangedToken> {
	const verified = await verifiedToken(deps, subjectToken);
	if ('cause' in verified) return { error: 'invalid_request', cause: verified.cause };
	const { provider, claims } = verified;
	const grants = await deps.grants.list(provider.name);
	const tenants = await grantedTenants(deps, grants, claims);
	const [tenant, ...others] = tenants.filter((each) => schema === null || each.schema === schema);
	if (tenant === undefined || others.length > 0) return { error: 'invalid_target' };
	const isProgram = provider.actors === 'programs';
	const name = isProgram ? shownSubject(claims, provider.name) : shownName(claims, provider.name);
	const person = (isProgram ? programId : openIdPersonId)(deps.digest, claims.iss, claims.sub);
	const sid = deps.sessionIds.newSid();
	const session: OpenIdSession = {
		id: deps.sessionIds.idOf(sid),
		person,
		name,
		provider: provider.name,
		issuer: claims.iss,
		subject: claims.sub,
		providerSession: typeof claims.sid === 'string' ? claims.sid : null,
		issuedAt: claims.iat,
		tenants: isProgram ? [withoutAdministrator(tenant)] : [tenant],
		claims: recordedClaims(grants, claims),
		idTokenClaims: {},
		createdAt: now,
		checkedAt: now,
		endsAt: Math.min(claims.exp * 1000, now + deps.token.sessionSeconds * 1000),
		version: 1,
	};
	const role = isProgram ? withoutAdministrator(tenant).role : await notedRole(deps.people, session, tenant, { isSignIn: true });
	const scope = grantedScope(deps.token.scopes, role, askedScope);
	if (scope === undefined) return { error: 'invalid_scope' };
	await deps.openIdSessions.create(session);
	// The token of a person who signed out at the provider meanwhile has the right signature, and its time is not over.
	if (await deps.openIdSessions.isLoggedOut(session)) return { error: 'invalid_request', cause: 'signed out at the provider' };
	const actor = isProgram ? machineActor({ clientId: person, name }) : ({ kind: 'person', id: person, name } as const);
	await deps.tell(tenant.schema, { actor, source, refusal: null, at: now });
	const { token, expiresAt } = await signSessionToken(deps, { sid, session, tenant, role, now, scope });
	return { token, expiresInSeconds: expiresAt - Math.floor(now / 1000), scope };
}

/** Returns the verified claims of a token, and the provider whose it is, or why it is refused. */
async function verifiedToken(
	{ openId }: Pick<ExchangeTokenDeps, 'openId'>,
	subjectToken: string,
): Promise<{ readonly provider: OpenIdProvider; readonly claims: VerifiedClaims } | { readonly cause: string }> {
	try {
		return await openId.verifyForeign(subjectToken);
	} catch (error) {
		if (error instanceof DomainError && error.code === 'sign_in_refused') return { cause: messageOf(error) };
		throw error;
	}
}

/** No program is an administrator, whatever its grant says. */
function withoutAdministrator(tenant: GrantedTenant): GrantedTenant {
	return tenant.role === 'administrator' ? { ...tenant, role: 'engineer' } : tenant;
}
