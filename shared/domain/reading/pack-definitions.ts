import type { Packs } from '../ports/packs.ts';
import type { PackedRevision, SchemaReader } from '../ports/schema-store.ts';
import { changedBetween, markedRevision } from './cached-definitions.ts';

/** The dependencies of packing. */
export interface PackDeps {
	readonly store: Pick<SchemaReader, 'revision' | 'snapshot'>;
	readonly packs: Packs;
}

/** A pack without changed definitions may be this number of revisions behind: the list of changes still reaches back to it. */
const maxBehind = 20;

/** Most snapshots that are taken to bring a pack up to date. Each write that lands in between takes one more. */
const maxRounds = 4;

/**
 * Brings the pack of a schema up to date (shared/domain/reading/README.md#packs). It may end at any moment: readers use what they find only
 * where it is whole, and the next run goes on from there.
 * @returns whether a pack was written
 * @throws DomainError the errors of the store
 */
export async function packDefinitions(deps: PackDeps, schema: string): Promise<boolean> {
	const now = await deps.store.revision(schema);
	if (now.revision === 0) return false;
	const packed = await deps.packs.packedRevision(schema);
	const changed = packed === null ? undefined : changedBetween(packed, now);
	if (packed === null || changed === undefined) return replace(deps, schema);
	if (changed.length === 0 && now.revision - packed.revision <= maxBehind) return false;
	return (await advance(deps, schema, packed, changed)) || replace(deps, schema);
}

async function replace({ store, packs }: PackDeps, schema: string): Promise<boolean> {
	const snapshot = await store.snapshot(schema, 'all');
	await packs.replace(schema, markedRevision(snapshot), snapshot.variables);
	return true;
}

/** Reads the definitions that changed since a pack, and stores them. Returns false where the pack cannot be brought up to date. */
async function advance({ store, packs }: PackDeps, schema: string, packed: PackedRevision, changed: readonly number[]) {
	let wanted = new Set(changed);
	for (let round = 1; round <= maxRounds; round += 1) {
		const snapshot = await store.snapshot(schema, [...wanted]);
		const needed = changedBetween(packed, snapshot);
		if (needed === undefined) return false;
		if (needed.every((id) => wanted.has(id))) {
			const definitions = new Map([...wanted].map((id) => [id, snapshot.variables.get(id) ?? null]));
			return packs.advance(schema, packed, markedRevision(snapshot), definitions);
		}
		wanted = new Set(needed);
	}
	return false;
}
