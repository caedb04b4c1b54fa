import type { Role } from '../access/role.ts';
import { higherRole } from '../access/role.ts';
import { endOfToken, scopeOfRole, type TokenSettings } from '../access/token-settings.ts';
import { DomainError } from '../errors.ts';
import type { OpenIdSession } from '../ports/openid-sessions.ts';
import type { People } from '../ports/people.ts';
import type { TokenSigner } from '../ports/token-signer.ts';
import type { GrantedTenant } from './granted-tenants.ts';

/** The dependencies of giving a token of a session. */
export interface IssueDeps {
	readonly people: Pick<People, 'find' | 'noteOpenIdSignIn'>;
	readonly signer: TokenSigner;
	readonly newId: () => string;
	/** Returns a random number from 0 (included) to 1 (excluded). */
	readonly random: () => number;
	readonly token: TokenSettings;
}

/** A tenant as a client names it: its schema and its database, or neither. */
export interface AskedTenant {
	readonly schemaName?: string | undefined;
	readonly tsdb_name?: string | undefined;
}

/** A token of a session, and what the answer says beside it. */
export interface OpenIdSignedIn {
	readonly token: string;
	readonly person: Pick<OpenIdSession, 'person' | 'name' | 'provider'>;
	readonly role: Role;
	readonly tenant: GrantedTenant;
	/** Every tenant of the person. */
	readonly tenants: readonly GrantedTenant[];
}

/** Returns the tenant of a list that a client asks for, the first one where it names none; undefined: it is not there. */
export function askedTenant(
	tenants: readonly GrantedTenant[],
	{ schemaName, tsdb_name }: AskedTenant,
): GrantedTenant | undefined {
	return tenants.find(
		({ schema, database }) =>
			(schemaName === undefined || schema === schemaName) && (tsdb_name === undefined || database === tsdb_name),
	);
}

/**
 * Returns the role of a person in a tenant: the higher of the grants' and the row's. Keeps in the row what the grants gave, if that is new.
 * A renewal leaves the last sign-in as it is.
 */
export async function notedRole(
	people: IssueDeps['people'],
	{ person, name, provider, createdAt }: Pick<OpenIdSession, 'person' | 'name' | 'provider' | 'createdAt'>,
	{ schema, role: granted }: GrantedTenant,
	{ isSignIn }: { readonly isSignIn: boolean },
): Promise<Role> {
	const stored = await people.find(schema, person);
	if (isSignIn || stored?.openId?.granted !== granted)
		await people.noteOpenIdSignIn(schema, person, { name, provider, granted }, createdAt);
	return higherRole(granted, stored?.role ?? granted);
}

/** What a token of a session says. `now`: epoch milliseconds. */
interface SessionToken {
	/** The secret under whose hash the session is stored. */
	readonly sid: string;
	readonly session: OpenIdSession;
	readonly tenant: GrantedTenant;
	readonly role: Role;
	readonly now: number;
	/** Left out: the widest of the role. */
	readonly scope?: string;
}

/**
 * Signs a token of a session for one of its tenants, and returns when it ends: no later than the session. Times are in seconds since the epoch.
 * @throws DomainError `session_ended` when less than a second is left of it, and the errors of the signer
 */
export async function signSessionToken(
	{ signer, newId, random, token }: Omit<IssueDeps, 'people'>,
	{ sid, session, tenant, role, now, scope = scopeOfRole(token.scopes, role) }: SessionToken,
): Promise<{ readonly token: string; readonly expiresAt: number }> {
	const issuedAt = Math.floor(now / 1000);
	const sessionEnd = Math.floor(session.endsAt / 1000);
	if (sessionEnd <= issuedAt) throw new DomainError('session_ended', {});
	const expiresAt = Math.min(endOfToken(token, random, issuedAt), sessionEnd);
	const signed = await signer.sign({
		iss: token.issuer,
		aud: token.audience,
		sub: session.person,
		name: session.name,
		sid,
		schema: tenant.schema,
		tsdb: tenant.database,
		client: String(tenant.owner),
		scope,
		iat: issuedAt,
		exp: expiresAt,
		auth_time: Math.floor(session.createdAt / 1000),
		session_exp: sessionEnd,
		jti: newId(),
	});
	return { token: signed, expiresAt };
}
