import { DomainError } from '../errors.ts';
import { accountClaims, accountsIssuer, isUsable } from '../identity/account.ts';
import type { Claims } from '../identity/claims.ts';
import { grantedTenants, recordedAsClaims, recordedClaims, recordedUserinfo } from '../identity/granted-tenants.ts';
import { type AskedTenant, askedTenant, notedRole, type OpenIdSignedIn, signSessionToken } from '../identity/issue-token.ts';
import { downAfter, type ReportOutage } from '../identity/provider-outage.ts';
import { endSession, joinedClaims, type OpenIdDeps, userinfoOf, withoutThoseOf } from '../identity/provider-session.ts';
import { interactiveProvider } from '../identity/provider-settings.ts';
import { shownName } from '../identity/shown-name.ts';
import type { Accounts } from '../ports/accounts.ts';
import type { OpenIdSession } from '../ports/openid-sessions.ts';

/** Within this time after a check nobody is asked again, in milliseconds. One while the provider is down counts, too. */
const freshMs = 60_000;
/** How long a renewal has the sole right to ask the provider: four requests of at most 5 s. And how long the others wait for it. */
const leaseMs = 20_000;
const waitMs = 5000;
const lookAgainMs = 200;

/** The dependencies of renewing a session of an OpenID provider. */
export interface OpenIdRenewDeps extends OpenIdDeps {
	/** The service's own accounts; null: there are none. */
	readonly accounts: Pick<Accounts, 'find'> | null;
	/** Epoch milliseconds. */
	readonly now: () => number;
	/** Waits for some milliseconds. */
	readonly wait: (milliseconds: number) => Promise<void>;
	/** Returns whether time is left to ask a provider for new tokens, and to store them. */
	readonly hasTimeToRefresh: () => boolean;
	readonly reportOutage: ReportOutage;
}

/** The session and the tenant of a token that is still valid. */
export interface HeldSession {
	readonly sid: string;
	readonly person: string;
	readonly schema: string;
	readonly database: string;
}

/**
 * Exchanges a token of a session for a new one, of another tenant if the client asks for it, after the provider and the grants were asked
 * again. Of several renewals at once one asks: with rotating refresh tokens a second use would end the session at the provider. While the
 * provider is down, what it said last is evaluated by the grants of now.
 * @throws DomainError `session_ended`, `renewal_refused` also for a token that was exchanged, `no_grant` where the asked tenant is none of the person's, `renewal_under_way`, and
 *   the errors of the ports
 */
export async function renewOpenId(deps: OpenIdRenewDeps, held: HeldSession, asked: AskedTenant): Promise<OpenIdSignedIn> {
	const session = await checkedSession(deps, held);
	const { schemaName = held.schema, tsdb_name } = asked;
	// Another schema has another database: the held one is no part of what is asked for.
	const database = tsdb_name ?? (asked.schemaName === undefined ? held.database : undefined);
	const tenant = askedTenant(session.tenants, { schemaName, tsdb_name: database });
	if (tenant === undefined) throw new DomainError('no_grant', { provider: session.provider, claims: {} });
	const now = deps.now();
	const role = await notedRole(deps.people, session, tenant, { isSignIn: false });
	const { token } = await signSessionToken(deps, { sid: held.sid, session, tenant, role, now });
	return { token, person: session, role, tenant, tenants: session.tenants };
}

/** Returns the session after its provider and the grants were asked, by this request or within the last minute. */
async function checkedSession(deps: OpenIdRenewDeps, { sid, person }: HeldSession): Promise<OpenIdSession> {
	const id = deps.sessionIds.idOf(sid);
	const by = deps.newId();
	const waitsUntil = deps.now() + waitMs;
	// Each sign-in keeps a row of tokens, and no exchange does: its token is narrower than what the grants give, and ends as it is.
	const isSignedIn = (await deps.sessionTokens.find(sid)) !== null;
	for (;;) {
		const now = deps.now();
		const session = await deps.openIdSessions.find(id, now);
		if (session === null || session.person !== person) throw new DomainError('session_ended', {});
		if (!isSignedIn) throw new DomainError('renewal_refused', {});
		if (now - session.checkedAt < freshMs) return session;
		const leased = await deps.openIdSessions.lease(id, { by, until: now + leaseMs }, now);
		if (leased === null) throw new DomainError('session_ended', {});
		// Somebody may have finished between the two reads.
		if (leased !== 'held' && now - leased.checkedAt >= freshMs) return checkSession(deps, leased, sid, by);
		if (leased !== 'held') await deps.openIdSessions.release(id, by);
		else if (now >= waitsUntil) throw new DomainError('renewal_under_way', { retryAfterMs: 1000 });
		else await deps.wait(lookAgainMs);
	}
}

/** Asks the provider and the grants about a session whose lease this request has, and stores what they say. */
async function checkSession(deps: OpenIdRenewDeps, session: OpenIdSession, sid: string, by: string): Promise<OpenIdSession> {
	try {
		const said = session.issuer === accountsIssuer ? await accountSays(deps, session) : await saidNow(deps, session, sid);
		const grants = await deps.grants.list(session.provider);
		const { idToken = null, userinfo = null, isRecalled = false } = said ?? {};
		const ofIdToken = withoutThoseOf(userinfo, idToken === null ? session.idTokenClaims : recordedClaims(grants, idToken));
		const last = idToken ?? { ...recordedAsClaims(ofIdToken), sub: session.subject };
		const claims = said === null ? null : joinedClaims(last, userinfo);
		const tenants = await grantedTenants(deps, grants, claims ?? recordedAsClaims(session.claims));
		if (tenants.length === 0) {
			await endSession(deps, session.id);
			throw new DomainError('renewal_refused', {});
		}
		const found = {
			tenants,
			claims: claims === null ? session.claims : recordedClaims(grants, claims),
			idTokenClaims: ofIdToken,
			name: idToken === null || claims === null || isRecalled ? session.name : shownName(claims, session.provider),
			checkedAt: deps.now(),
		};
		if (!(await deps.openIdSessions.update(session.id, by, found))) throw new DomainError('session_ended', {});
		return { ...session, ...found };
	} catch (error) {
		// What went wrong is reported even when this fails: the lease ends by itself.
		await leave(deps, session, sid, by).catch(() => undefined);
		throw error;
	}
}

/** Gives the lease back. Of a session that was ended meanwhile, deletes and revokes what the provider gave since. */
async function leave(deps: OpenIdRenewDeps, { id, provider: name }: OpenIdSession, sid: string, by: string): Promise<void> {
	await deps.openIdSessions.release(id, by);
	if ((await deps.openIdSessions.find(id, deps.now())) !== null) return;
	const refreshToken = (await deps.sessionTokens.find(sid))?.refreshToken ?? null;
	await deps.sessionTokens.remove(id);
	const provider = interactiveProvider(deps.openId.providers, name);
	if (refreshToken !== null && provider !== null) await deps.openId.revoke(provider, refreshToken);
}

/** What a provider says of a person: in a new ID token, and at the userinfo endpoint; null: there is none. */
interface SaidByProvider {
	readonly idToken: Claims | null;
	readonly userinfo: Claims | null;
	/** Whether the endpoint is down, and `userinfo` is what was recorded of it. */
	readonly isRecalled?: true;
}

/** Returns what the account of a person says now. @throws DomainError `session_ended` where it may not be used any more */
async function accountSays(deps: OpenIdRenewDeps, session: OpenIdSession): Promise<SaidByProvider> {
	const account = (await deps.accounts?.find(session.subject)) ?? null;
	if (account !== null && isUsable(account) && session.createdAt >= account.changedAt)
		return { idToken: accountClaims(account), userinfo: null };
	await endSession(deps, session.id);
	throw new DomainError('session_ended', {});
}

/**
 * Returns what the provider says of a person now; null: it is not asked, or says nothing new, and what was recorded holds. The new refresh
 * token is stored before anything else is checked, because the old one is void.
 */
async function saidNow(deps: OpenIdRenewDeps, session: OpenIdSession, sid: string): Promise<SaidByProvider | null> {
	const stored = await deps.sessionTokens.find(sid);
	const provider = interactiveProvider(deps.openId.providers, session.provider);
	if (provider === null || provider.issuer !== session.issuer) {
		await endSession(deps, session.id);
		throw new DomainError('session_ended', {});
	}
	if (stored === null) throw new DomainError('session_ended', {});
	if (provider.recheck === 'none' || stored.refreshToken === null) return null;
	// The held refresh token would be void, and the new one lost.
	if (!deps.hasTimeToRefresh()) throw new DomainError('renewal_under_way', { retryAfterMs: 1000 });
	const recover = downAfter(deps.reportOutage);
	// The held refresh token stays. Where a provider voided it and its answer was lost, the next renewal says `invalid_grant`.
	const tokens = await deps.openId.refresh(provider, stored.refreshToken, session.person).catch(recover);
	if (tokens === undefined) return null;
	if (tokens === 'invalid_grant') {
		await endSession(deps, session.id);
		throw new DomainError('session_ended', {});
	}
	const { refreshToken, idToken } = tokens;
	await deps.sessionTokens.put(
		sid,
		{ refreshToken: refreshToken ?? stored.refreshToken, idToken: idToken ?? stored.idToken },
		session.endsAt,
	);
	try {
		const { issuer, subject } = session;
		const verified =
			idToken === null ? null : await deps.openId.verifyIdToken(provider, idToken, { issuer, subject }).catch(recover);
		const userinfo = await userinfoOf(deps.openId, provider, tokens, subject).catch(recover);
		if (!verified && !userinfo) return null;
		if (userinfo !== undefined) return { idToken: verified ?? null, userinfo };
		return { idToken: verified ?? null, userinfo: recordedUserinfo(session.claims, session.idTokenClaims), isRecalled: true };
	} catch (error) {
		if (error instanceof DomainError && error.code === 'sign_in_refused')
			throw new DomainError('renewal_refused', {}, { cause: error });
		throw error;
	}
}
