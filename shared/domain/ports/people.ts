import type { Role } from '../access/role.ts';
import type { RoleSetter } from '../access/role-change.ts';

/** A person who may use a schema (shared/domain/access/README.md#people). */
export interface Person {
	/** As the person signs in with it, in its original case. It is compared without regard to case. */
	readonly email: string;
	readonly role: Role;
	/** Epoch milliseconds; null: a role was given before the first sign-in. */
	readonly lastSignInAt: number | null;
	/** Of a person who signs in with an OpenID provider; null: with the identity provider of the specification. */
	readonly openId: OpenIdOrigin | null;
}

/** Where a person comes from who signs in with an OpenID provider. The key in place of the e-mail is `openIdPersonId`. */
export interface OpenIdOrigin {
	/** The name under which the person is shown. */
	readonly name: string;
	/** The name of the provider in the settings. */
	readonly provider: string;
	/** The role that the grants gave at the last sign-in or renewal. The person has the higher of this one and of the row's. */
	readonly granted: Role;
}

/**
 * Why a role was not set: the person who sets it is no administrator any more; no person with that key signed in with an OpenID provider
 * yet; the provider's grants give a higher one.
 */
export type RoleRefusal = 'not_administrator' | 'no_such_person' | { readonly granted: Role };

/**
 * The people of each schema with their roles. Reads are strongly consistent.
 * @throws DomainError `store_failed`; `setRole` also `outcome_unknown` and `write_contention`
 */
export interface People {
	/** Returns null for a person without a row. */
	find(schema: string, email: string): Promise<Person | null>;
	/** Returns the people of a schema by ascending e-mail in lower case. */
	list(schema: string): Promise<readonly Person[]>;
	/** Notes a sign-in at `at` (epoch milliseconds). Adds the person with `role` where there is no row, and changes no role. */
	noteSignIn(schema: string, email: string, role: Role, at: number): Promise<void>;
	/** Notes a sign-in of a person of an OpenID provider, as `noteSignIn` does: a new person gets the role viewer in the row. */
	noteOpenIdSignIn(schema: string, id: string, origin: OpenIdOrigin, at: number): Promise<void>;
	/**
	 * Sets the role of a person, who need not have signed in yet, and adds an entry to the journal of changes, unless the person has that
	 * role. Of two administrators who lower each other at the same time, one stays.
	 */
	setRole(schema: string, email: string, role: Role, setter: RoleSetter): Promise<Person | RoleRefusal>;
	/** Removes the row of a person, for an operator's command. The journal does not tell of it. Returns whether there was one. */
	remove(schema: string, email: string): Promise<boolean>;
}
