import { DomainError } from '../errors.ts';
import { downAfter, type ReportOutage } from '../identity/provider-outage.ts';
import type { Owners } from '../ports/owners.ts';
import { askProvider, claimsFor, type IssueTokenDeps, type SignedIn, type TokenSubject } from './sign-in.ts';

/** The dependencies of renewing a token. */
export interface RenewTokenDeps extends IssueTokenDeps {
	readonly owners: Pick<Owners, 'find'>;
	readonly reportOutage: ReportOutage;
}

/** The claims of a valid token about its person, tenant and session. */
export interface HeldToken extends TokenSubject {
	/** The user's id at the identity provider, as text. */
	readonly userId: string;
	/** When the person signed in, in seconds since the epoch. */
	readonly authTime: number;
}

/**
 * Exchanges a token that is still valid for a new one, until the session ends. The identity provider is asked again, with the
 * service's own token: nothing of the person's credentials is kept, so a changed application token goes unnoticed. A user
 * without one may not sign in, so is refused here, too. What a provider that is down does not answer stays as it was.
 * @param now epoch milliseconds
 * @throws DomainError `session_ended` when the session has lasted as long as it may, `renewal_refused` when the user, the product
 * or the tenant is no longer the one of the token, and the errors of the ports
 * @example
 * const { token, user, role } = await renewToken(deps, heldToken, Date.now());
 */
export async function renewToken(deps: RenewTokenDeps, held: HeldToken, now: number): Promise<SignedIn> {
	if (now >= (held.authTime + deps.token.sessionSeconds) * 1000) throw new DomainError('session_ended', {});
	const user = await deps.users.find(held.email);
	if (user === null || String(user.id) !== held.userId) throw new DomainError('renewal_refused', {});
	const { schema, database } = held;
	const [answer, ...owners] = await Promise.all([
		askProvider(deps, user, held, downAfter(deps.reportOutage)),
		deps.owners.find({ kind: 'schema', name: schema }),
		deps.owners.find({ kind: 'database', name: database }),
	]);
	const isOwner = owners.every((owner) => owner === user.clientId);
	if (!answer.allows || !isOwner) throw new DomainError('renewal_refused', {});
	// Whoever was given another role since gets it with the new token.
	const role = (await deps.people.find(schema, user.email))?.role ?? deps.defaultRole;
	return { token: await deps.signer.sign(claimsFor(deps, held, { user, role, now, authTime: held.authTime })), user, role };
}
