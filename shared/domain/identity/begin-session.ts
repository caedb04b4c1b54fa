import type { SessionEvent } from '../changes/session-entry.ts';
import type { Grants } from '../ports/grants.ts';
import type { OpenIdSession, OpenIdSessions, OpenIdSessionTokens, SessionIds, SessionTokens } from '../ports/openid-sessions.ts';
import type { Claims } from './claims.ts';
import { type GrantedTenantsDeps, grantedTenants, type RecordedClaims, recordedClaims, throwNoGrant } from './granted-tenants.ts';
import type { Grant } from './grants.ts';
import {
	type AskedTenant,
	askedTenant,
	type IssueDeps,
	notedRole,
	type OpenIdSignedIn,
	signSessionToken,
} from './issue-token.ts';
import { shownName } from './shown-name.ts';
import { type Digest, openIdPersonId } from './subject.ts';

/** The dependencies of beginning a session. */
export interface BeginSessionDeps extends GrantedTenantsDeps, IssueDeps {
	readonly grants: Grants;
	readonly openIdSessions: Pick<OpenIdSessions, 'create'>;
	readonly sessionTokens: Pick<OpenIdSessionTokens, 'put'>;
	readonly sessionIds: SessionIds;
	readonly digest: Digest;
	/** Adds a sign-in, or a refusal, to the journal of changes of a schema. */
	readonly tell: (schema: string, event: SessionEvent) => Promise<void>;
}

/** A person whose claims are verified, and the session that begins. */
export interface VerifiedPerson extends Pick<OpenIdSession, 'issuer' | 'subject' | 'issuedAt'> {
	/** The name under which grants know the provider. */
	readonly provider: string;
	readonly claims: Claims;
	/** Returns those of the recorded claims that stay where a renewal learns nothing new of them. */
	readonly keptClaims: (grants: readonly Grant[]) => RecordedClaims;
	readonly tokens: SessionTokens;
	/** How long the session lasts. */
	readonly seconds: number;
	/** Throws where the person may not sign in any more. Called when the session is stored: whoever ends sessions now finds it. */
	readonly check: (session: OpenIdSession) => Promise<void>;
}

/**
 * Begins a session of a person whom grants let in, and gives its first token. The journal is told before the token is signed: no token is
 * without an entry.
 * @param source the client's network address
 * @param now epoch milliseconds
 * @throws DomainError `no_grant`, `groups_not_in_token`, and the errors of the ports and of `check`
 */
export async function beginSession(
	deps: BeginSessionDeps,
	{ provider, issuer, subject, issuedAt, claims, keptClaims, tokens, seconds, check }: VerifiedPerson,
	asked: AskedTenant,
	source: string,
	now: number,
): Promise<OpenIdSignedIn> {
	const grants = await deps.grants.list(provider);
	const tenants = await grantedTenants(deps, grants, claims);
	const person = openIdPersonId(deps.digest, issuer, subject);
	const name = shownName(claims, provider);
	const tenant = askedTenant(tenants, asked) ?? tenants[0];
	const actor = { kind: 'person', id: person, name } as const;
	if (tenant === undefined) {
		// Only where the schema has the person's row is a refusal told; the client gets the same answer even if it cannot be.
		if (asked.schemaName !== undefined)
			await deps.tell(asked.schemaName, { actor, source, refusal: 'grant', at: now }).catch(() => undefined);
		throwNoGrant(provider, grants, claims);
	}
	const sid = deps.sessionIds.newSid();
	const session: OpenIdSession = {
		id: deps.sessionIds.idOf(sid),
		person,
		name,
		provider,
		issuer,
		subject,
		providerSession: typeof claims.sid === 'string' ? claims.sid : null,
		issuedAt,
		tenants,
		claims: recordedClaims(grants, claims),
		idTokenClaims: keptClaims(grants),
		createdAt: now,
		checkedAt: now,
		endsAt: now + seconds * 1000,
		version: 1,
	};
	const role = await notedRole(deps.people, session, tenant, { isSignIn: true });
	await deps.sessionTokens.put(sid, tokens, session.endsAt);
	await deps.openIdSessions.create(session);
	await check(session);
	await deps.tell(tenant.schema, { actor, source, refusal: null, at: now });
	const { token } = await signSessionToken(deps, { sid, session, tenant, role, now });
	return { token, person: session, role, tenant, tenants };
}
