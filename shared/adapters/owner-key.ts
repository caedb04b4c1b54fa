import * as v from 'valibot';
import { type OwnedName, type Ownership, unreadableOwner } from '#domain/ports/owners.ts';
import { readable, tellInvalidRow } from './invalid-row.ts';

const keySchema = v.object({ key: v.string() });
const ownerSchema = v.pipe(
	v.object({ key: v.pipe(v.string(), v.regex(/^(schema|database)#/)), clientId: v.optional(v.unknown()) }),
	v.transform(({ key, clientId }): Ownership => {
		const kind = key.startsWith('schema#') ? 'schema' : 'database';
		return { kind, name: key.slice(kind.length + 1), clientId: clientIdOf(key, clientId) };
	}),
);

/** Returns the key under which the owner of a schema or a database is stored, such as `schema#plant_a`. */
export function ownerKey({ kind, name }: OwnedName): string {
	return `${kind}#${name}`;
}

/** Parses the stored id of an owner. */
export function clientIdOf(key: string, stored: unknown): number {
	if (v.is(v.number(), stored)) return stored;
	tellInvalidRow(null, `owner#${key}`);
	return unreadableOwner;
}

/**
 * Parses stored owners (`key`, `clientId`) and sorts them by the bytes of their keys: databases first, then by name. Those of what only a newer
 * release knows are left out.
 */
export function ownershipsOf(stored: readonly unknown[]): readonly Ownership[] {
	const byKey = (a: Ownership, b: Ownership): number => Buffer.compare(Buffer.from(ownerKey(a)), Buffer.from(ownerKey(b)));
	const keyOf = (each: unknown): string => `owner#${v.parse(keySchema, each).key}`;
	return readable(null, stored, (each) => v.parse(ownerSchema, each), keyOf).toSorted(byKey);
}
