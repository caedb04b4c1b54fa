import type { SchemaStore, VariableRow } from '../ports/schema-store.ts';

/** Definitions by id, all of one revision; null: there was no such variable at that revision. */
interface CachedDefinitions {
	readonly revision: number;
	readonly rows: Map<number, VariableRow | null>;
	/** Whether `rows` holds every variable of the schema. */
	complete: boolean;
}

/** What a poll needs to know of the variables it reads. */
export interface DefinitionCache {
	/**
	 * The named variables of a schema (`all`: every one), all of one revision that is not older than any write answered before
	 * the call. Ids of no variable are left out.
	 */
	get(schema: string, ids: readonly number[] | 'all'): Promise<ReadonlyMap<number, VariableRow>>;
}

/** Most schemas whose definitions a warm function keeps; the one kept longest goes first. */
const maxSchemas = 100;

/**
 * Keeps definitions stamped with the revision of the snapshot that read them (design section 6): a poll costs one small read
 * of the revision, and a snapshot of just what is not kept at that revision.
 */
export function createDefinitionCache(store: SchemaStore): DefinitionCache {
	const schemas = new Map<string, CachedDefinitions>();

	const keep = (schema: string, fresh: CachedDefinitions): void => {
		const kept = schemas.get(schema);
		if (kept !== undefined && kept.revision > fresh.revision) return;
		if (kept?.revision === fresh.revision) {
			for (const [id, row] of fresh.rows) kept.rows.set(id, row);
			kept.complete ||= fresh.complete;
			return;
		}
		schemas.delete(schema);
		const oldest = schemas.keys().next();
		if (schemas.size >= maxSchemas && !oldest.done) schemas.delete(oldest.value);
		schemas.set(schema, fresh);
	};

	const fetch = async (schema: string, ids: readonly number[] | 'all'): Promise<CachedDefinitions> => {
		const { revision, variables } = await store.snapshot(schema, ids);
		const rows = new Map<number, VariableRow | null>(variables);
		if (ids !== 'all') for (const id of ids) if (!rows.has(id)) rows.set(id, null);
		const fresh = { revision, rows, complete: ids === 'all' };
		keep(schema, { ...fresh, rows: new Map(rows) });
		return fresh;
	};

	return {
		get: async (schema, ids) => {
			const revision = await store.revision(schema);
			const kept = schemas.get(schema);
			if (kept?.revision !== revision) return pick(await fetch(schema, ids), ids);
			const missing = ids === 'all' ? (kept.complete ? [] : 'all') : ids.filter((id) => !kept.complete && !kept.rows.has(id));
			if (missing.length === 0) return pick(kept, ids);
			const fresh = await fetch(schema, missing);
			// A write came between: what was kept is of an older revision, so all of it is read again together.
			if (fresh.revision !== revision) return pick(await fetch(schema, ids), ids);
			return ids === 'all' ? pick(fresh, ids) : new Map([...pick(kept, ids), ...pick(fresh, missing)]);
		},
	};
}

function pick(kept: CachedDefinitions, ids: readonly number[] | 'all'): ReadonlyMap<number, VariableRow> {
	const rows = new Map<number, VariableRow>();
	for (const id of ids === 'all' ? kept.rows.keys() : ids) {
		const row = kept.rows.get(id);
		if (row !== undefined && row !== null && !row.deleting) rows.set(id, row);
	}
	return rows;
}
