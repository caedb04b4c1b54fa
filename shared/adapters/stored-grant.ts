import * as v from 'valibot';
import { type Grant, grantSchema } from '#domain/identity/grants.ts';

/** Returns the text in which a grant is stored. */
export function storedGrantOf({ provider, where, schema, database, owner, role }: Grant): string {
	return JSON.stringify({ provider, where, schema, database, owner, role });
}

/** Parses a stored grant. Throws an Error that is no DomainError: an invalid row is never the client's fault. */
export function parseStoredGrant(text: string): Grant {
	return v.parse(grantSchema, JSON.parse(text));
}

/**
 * Parses the grant that is stored for a tenant and claims. One that cannot be read stands as a grant of a viewer of no client, so that it can be
 * replaced and removed.
 */
export function replacedGrant(text: string, { provider, where, schema, database }: Omit<Grant, 'owner' | 'role'>): Grant {
	try {
		return parseStoredGrant(text);
	} catch {
		return { provider, where, schema, database, owner: 0, role: 'viewer' };
	}
}
