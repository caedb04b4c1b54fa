import type { TenantRefusal } from '../access/own-tenant.ts';
import { higherRole, type Role } from '../access/role.ts';
import { compareTexts } from '../compare-texts.ts';
import { DomainError } from '../errors.ts';
import type { Owners } from '../ports/owners.ts';
import { absentClaims, type Claims, claimValues } from './claims.ts';
import { claimNamesOf, type Grant, meetsGrant } from './grants.ts';

/** A tenant that a person may use, with the highest role of the grants that let the person in. */
export interface GrantedTenant {
	readonly schema: string;
	readonly database: string;
	/** The id of the client that owns both. */
	readonly owner: number;
	readonly role: Role;
}

/** Most tenants of one person that are told. A client may ask for any of the others by its name. */
export const maxTenants = 50;

/** Values of claims that are recorded with a session, by the names of the claims. */
export type RecordedClaims = Readonly<Record<string, readonly string[]>>;

const maxToldValues = 20;
const maxToldLength = 100;

/** What decides which tenants a person may use. */
export interface GrantedTenantsDeps {
	readonly owners: Pick<Owners, 'find'>;
	/** Reports a grant of a tenant that belongs to another client now, for the operator. */
	readonly reportTenantRefusal: (refusal: TenantRefusal) => void;
}

/**
 * Returns the tenants that the claims are let into, by name of the schema and then of the database. The grant of a tenant that belongs to
 * another client now does not count.
 * @throws the errors of the owners
 */
export async function grantedTenants(
	{ owners, reportTenantRefusal }: GrantedTenantsDeps,
	grants: readonly Grant[],
	claims: Claims,
): Promise<readonly GrantedTenant[]> {
	const tenants = new Map<string, GrantedTenant>();
	for (const grant of grants) {
		if (!meetsGrant(grant, claims)) continue;
		const { schema, database, owner, role } = grant;
		const key = JSON.stringify([schema, database, owner]);
		tenants.set(key, { schema, database, owner, role: higherRole(role, tenants.get(key)?.role ?? role) });
	}
	const sorted = [...tenants.values()].sort((a, b) => compareTexts(a.schema, b.schema) || compareTexts(a.database, b.database));
	const owned = await Promise.all(
		sorted.map(async (tenant) => {
			const found = await Promise.all([
				owners.find({ kind: 'schema', name: tenant.schema }),
				owners.find({ kind: 'database', name: tenant.database }),
			]);
			if (found.every((owner) => owner === tenant.owner)) return [tenant];
			const { schema, database, owner: clientId } = tenant;
			reportTenantRefusal({ reason: 'owned_by_another_client', schema, database, clientId });
			return [];
		}),
	);
	return owned.flat();
}

/**
 * Returns the claims that grants look at, with the values that a person has of them, for a person who has no grant: what an administrator
 * must know. At most 20 values of 100 characters each.
 */
export function lookedAtClaims(grants: readonly Grant[], claims: Claims): Readonly<Record<string, readonly string[]>> {
	const told = claimNamesOf(grants).map((name) => {
		const values = claimValues(claims, name).slice(0, maxToldValues);
		return [name, values.map((value) => [...value].slice(0, maxToldLength).join(''))];
	});
	return Object.fromEntries(told);
}

/**
 * Returns the claims that are recorded with a session: of those that grants look at, the values that a grant names. A renewal evaluates
 * them (`recordedAsClaims`) where the provider is not asked, or says nothing new.
 */
export function recordedClaims(grants: readonly Grant[], claims: Claims): RecordedClaims {
	const recorded = claimNamesOf(grants).map((name) => {
		const named = new Set(grants.map(({ where }) => where[name]));
		return [name, claimValues(claims, name).filter((value) => named.has(value))] as const;
	});
	return Object.fromEntries(recorded.filter(([, values]) => values.length > 0));
}

/** Returns recorded claims as `claimValues` reads them. An e-mail was recorded only where it was verified. */
export function recordedAsClaims(recorded: RecordedClaims): Claims {
	return { ...recorded, email_verified: true };
}

/** Returns what was recorded of the userinfo endpoint, as claims: all but what only the ID token said. */
export function recordedUserinfo(claims: RecordedClaims, idTokenClaims: RecordedClaims): Claims {
	return recordedAsClaims(Object.fromEntries(Object.entries(claims).filter(([name]) => !Object.hasOwn(idTokenClaims, name))));
}

/** Throws the refusal of a person without a grant. */
export function throwNoGrant(provider: string, grants: readonly Grant[], claims: Claims): never {
	const absent = absentClaims(claims);
	const isElsewhere = claimNamesOf(grants).some((name) => absent.includes(name));
	if (isElsewhere) throw new DomainError('groups_not_in_token', { provider });
	throw new DomainError('no_grant', { provider, claims: lookedAtClaims(grants, claims) });
}
