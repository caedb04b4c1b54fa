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
