import * as v from 'valibot';
import type { OwnedName, Ownership } from '#domain/ports/owners.ts';

const ownerSchema = v.pipe(
	v.object({ key: v.pipe(v.string(), v.regex(/^(schema|database)#/)), clientId: v.number() }),
	v.transform(({ key, clientId }): Ownership => {
		const kind = key.startsWith('schema#') ? 'schema' : 'database';
		return { kind, name: key.slice(kind.length + 1), clientId };
	}),
);

/** Returns the key under which the owner of a schema or a database is stored, such as `schema#plant_a`. */
export function ownerKey({ kind, name }: OwnedName): string {
	return `${kind}#${name}`;
}

/** Parses stored owners (`key`, `clientId`) and sorts them by the bytes of their keys: databases first, then by name. */
export function ownershipsOf(stored: readonly unknown[]): readonly Ownership[] {
	const byKey = (a: Ownership, b: Ownership): number => Buffer.compare(Buffer.from(ownerKey(a)), Buffer.from(ownerKey(b)));
	return v.parse(v.array(ownerSchema), stored).sort(byKey);
}
