import * as v from 'valibot';
import { roles } from '../access/role.ts';
import { compareTexts } from '../compare-texts.ts';
import { type Claims, claimValues } from './claims.ts';

/** Most grants of one provider. */
export const maxGrants = 500;

/** Most claims of a grant. */
export const maxGrantClaims = 4;

const text = v.pipe(v.string(), v.nonEmpty(), v.maxLength(1000));

/** Names that `v.record` leaves out. A grant without one of its claims would let in more people, so it has no such claim. */
const unusableNames = ['__proto__', 'constructor', 'prototype'];

const isUsable = (where: unknown): boolean =>
	typeof where === 'object' && where !== null && !unusableNames.some((name) => Object.hasOwn(where, name));

/** Claims and their values, all of which a person must have: `{groups: 'plant-a-ops', hd: 'plant.example'}`. */
export const whereSchema = v.pipe(
	v.custom<Readonly<Record<string, unknown>>>(isUsable),
	v.record(text, text),
	v.check((where) => Object.keys(where).length >= 1 && Object.keys(where).length <= maxGrantClaims),
);

/** Lets whoever has the claims into a tenant with a role (shared/domain/identity/README.md#grants). */
export const grantSchema = v.object({
	/** The name of the provider. */
	provider: v.string(),
	where: whereSchema,
	schema: text,
	/** The tenant's time-series database. */
	database: text,
	/** The id of the client that owns schema and database. */
	owner: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
	role: v.picklist(roles),
});

/** Lets whoever has the claims into a tenant with a role. */
export type Grant = v.InferOutput<typeof grantSchema>;

/** Returns whether claims are those that a grant lets in. Values are compared exactly: there are no patterns. */
export function meetsGrant({ where }: Pick<Grant, 'where'>, claims: Claims): boolean {
	return Object.entries(where).every(([name, value]) => claimValues(claims, name).includes(value));
}

/** Returns the text that tells grants of a provider apart, for the key under which they are stored: one grant for each tenant and `where`. */
export function grantText({ schema, database, where }: Pick<Grant, 'schema' | 'database' | 'where'>): string {
	const claims = Object.entries(where).sort(([a], [b]) => (a < b ? -1 : 1));
	return JSON.stringify([schema, database, claims]);
}

/** Compares grants by schema, database and claims. */
export function compareGrants(a: Grant, b: Grant): number {
	return compareTexts(a.schema, b.schema) || compareTexts(a.database, b.database) || compareTexts(grantText(a), grantText(b));
}

/** Returns whether two grants that are stored under one key let in alike. */
export function isSameGrant(a: Grant, b: Grant): boolean {
	return a.owner === b.owner && a.role === b.role;
}

/** Returns the names of the claims that grants look at, each once, in order. */
export function claimNamesOf(grants: readonly Pick<Grant, 'where'>[]): readonly string[] {
	return [...new Set(grants.flatMap(({ where }) => Object.keys(where)))].sort();
}
