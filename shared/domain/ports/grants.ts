import type { Change } from '../changes/change-entry.ts';
import type { Grant } from '../identity/grants.ts';

/**
 * The grants of each provider (shared/domain/identity/README.md#grants). Reads are strongly consistent.
 * @throws DomainError `store_failed`
 */
export interface Grants {
	/** Returns the grants of a provider, by schema, database and claims. */
	list(provider: string): Promise<readonly Grant[]>;
}

/** A grant, with how often it was stored. */
export interface StoredGrant {
	readonly grant: Grant;
	readonly rowVersion: number;
}

/** What tells a stored grant from the others: the provider, and the digest of `grantText`. */
export interface GrantAddress {
	readonly provider: string;
	readonly key: string;
}

/**
 * The grants, one by one. Reads are strongly consistent.
 * @throws DomainError `store_failed`
 */
export interface GrantLookup {
	find(address: GrantAddress): Promise<StoredGrant | null>;
}

/**
 * The grants, for operators' commands.
 * @throws DomainError `store_failed`, `outcome_unknown`
 */
export interface StoredGrants extends Grants, GrantLookup {
	/** Returns the grants of every provider, in no order. Reads every row. */
	all(): Promise<readonly Grant[]>;
	/**
	 * Stores a grant in place of the one with the same tenant and claims, and its entry in the journal of changes.
	 * @param changeFrom returns the entry. `replaced`: the grant that was stored, with how often it was
	 */
	add(grant: Grant, changeFrom: GrantChange): Promise<'added' | 'unchanged' | 'full'>;
	/** Deletes the grant with that tenant and claims, and stores the entry of it in the journal of changes. Returns whether there was one. */
	remove(grant: Pick<Grant, 'provider' | 'schema' | 'database' | 'where'>, changeFrom: GrantChange): Promise<boolean>;
}

/** Returns the entry of the journal for a grant that is replaced or removed; null: there was none. */
export type GrantChange = (replaced: StoredGrant | null) => Change;
