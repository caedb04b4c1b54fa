import { createLruCache } from '../lru-cache.ts';
import type { Definition, SchemaReader, SchemaRevision } from '../ports/schema-store.ts';
import {
	type CachedDefinitions,
	changedBetween,
	definitionsOf,
	dropOldAbsent,
	isKnown,
	markedRevision,
	mergeInto,
	pick,
	precedes,
	sizeInMemory,
} from './cached-definitions.ts';

/** The variables of one schema, by id. */
export interface DefinitionCache {
	/**
	 * Returns the given variables of a schema, or all of them. All are of one revision, which includes every write that completed
	 * before the call. Ids without a variable are left out.
	 */
	get(schema: string, ids: readonly number[] | 'all'): Promise<ReadonlyMap<number, Definition>>;
}

/** Most schemas whose definitions are kept. */
const defaultMaxSchemas = 100;

/** Most bytes of definitions that are kept for all schemas together. A function has 512 MB. */
const maxBytes = 50_000_000;

/** Most snapshots that a call takes to bring the cache up to date. Each write that lands in between takes one more. */
const maxRounds = 4;

/** Up to this number of definitions are read one by one, and more from the schema's pack. */
const fewMissing = 4;

/**
 * Creates a cache of variables by schema and revision (shared/domain/reading/README.md#the-definition-cache). A poll reads the revision.
 * If it has advanced, the definitions that changed since are read. If it is not known which ones changed, all requested definitions are
 * read. Definitions beyond 50 MB are dropped and read again.
 */
export function createDefinitionCache(store: SchemaReader, maxSchemas = defaultMaxSchemas): DefinitionCache {
	const schemas = createLruCache<string, CachedDefinitions>(maxSchemas, { maxWeight: maxBytes, weightOf: sizeInMemory });

	/** Keeps fresh definitions, unless newer ones are kept already. */
	const remember = (schema: string, fresh: CachedDefinitions): void => {
		const cached = schemas.get(schema);
		if (cached !== undefined && cached.revision > fresh.revision) return;
		// Another call may have read definitions of the same revision.
		const kept = cached?.revision === fresh.revision && cached.mark === fresh.mark ? cached : fresh;
		if (kept !== fresh) mergeInto(kept, fresh);
		dropOldAbsent(kept);
		schemas.set(schema, kept);
	};

	/** Reads all definitions of `ids`. */
	const fetch = async (schema: string, ids: readonly number[] | 'all') => {
		const snapshot = await store.snapshot(schema, ids);
		const fresh = definitionsOf(markedRevision(snapshot), snapshot.variables, ids);
		remember(schema, fresh);
		return pick(fresh, ids);
	};

	/**
	 * Reads the definitions of `ids` that `cached` lacks, and those that changed since its revision. Other calls may change `cached` during
	 * each read. Returns undefined when it cannot be brought up to date: the list of changes does not reach back far enough, another call has
	 * brought it past the snapshot, or writes landed between all snapshots.
	 */
	const update = async (schema: string, cached: CachedDefinitions, ids: readonly number[] | 'all') => {
		const asked = new Set(ids === 'all' ? [] : ids);
		const missing = (): readonly number[] => [...asked].filter((id) => !isKnown(cached, id));
		let wanted = new Set(missing());
		// A write that lands before a snapshot may change what is needed. The next round then asks for that.
		for (let round = 1; round <= maxRounds; round += 1) {
			const snapshot = await store.snapshot(schema, [...wanted]);
			const changed = changedBetween(cached, snapshot);
			if (changed === undefined) return undefined;
			// Another call may have forgotten an absent id meanwhile.
			const needed = [...missing(), ...changed.filter((id) => asked.has(id) || isKnown(cached, id))];
			if (needed.every((id) => wanted.has(id))) {
				mergeInto(cached, definitionsOf(markedRevision(snapshot), snapshot.variables, [...wanted]));
				remember(schema, cached);
				return pick(cached, ids);
			}
			wanted = new Set(needed);
		}
		return undefined;
	};

	/** Takes the definitions of `ids` from the schema's pack. Returns undefined where it does not lead to the revision `now`. */
	const unpack = async (schema: string, now: SchemaRevision, ids: readonly number[] | 'all') => {
		// Whatever a pack's fault is, the rows may be read.
		const pack = await store.packed(schema, ids).catch(() => null);
		if (pack === null || !precedes(pack, now)) return undefined;
		const fresh = definitionsOf(pack, pack.definitions, ids);
		if (fresh.revision !== now.revision) return update(schema, fresh, ids);
		remember(schema, fresh);
		return pick(fresh, ids);
	};

	return {
		get: async (schema, ids) => {
			const now = await store.revision(schema);
			const cached = schemas.get(schema);
			// Another call may have brought the cache past the revision that this one has read. That is rare, so this one reads for itself.
			const isUsable = cached !== undefined && precedes(cached, now) && (ids !== 'all' || cached.complete);
			const missing = isUsable && ids !== 'all' ? ids.filter((id) => !isKnown(cached, id)).length : 0;
			if (isUsable && cached.revision === now.revision && missing === 0) return pick(cached, ids);
			const isCheapToUpdate = isUsable && missing <= fewMissing;
			return (
				(isCheapToUpdate ? undefined : await unpack(schema, now, ids)) ??
				(isUsable ? await update(schema, cached, ids) : undefined) ??
				fetch(schema, ids)
			);
		},
	};
}
