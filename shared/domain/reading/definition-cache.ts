import { createLruCache } from '../lru-cache.ts';
import type { SchemaStore, VariableRow } from '../ports/schema-store.ts';

/** The variables of one schema, by id. */
export interface DefinitionCache {
	/**
	 * Returns the given variables of a schema, or all of them. All are of one revision, which includes every write that completed
	 * before the call. Ids without a variable are left out.
	 */
	get(schema: string, ids: readonly number[] | 'all'): Promise<ReadonlyMap<number, VariableRow>>;
}

/** Definitions of one revision. A row is null when the id had no variable at that revision. */
interface CachedDefinitions {
	readonly revision: number;
	readonly rows: Map<number, VariableRow | null>;
	/** Whether `rows` holds every variable of the schema. */
	complete: boolean;
}

const maxSchemas = 100;

/**
 * Creates a cache of variables by schema and revision (DESIGN.md section 6.6). A poll reads the revision, and a snapshot of the
 * variables that are not cached for that revision.
 */
export function createDefinitionCache(store: SchemaStore): DefinitionCache {
	const schemas = createLruCache<string, CachedDefinitions>(maxSchemas);

	const remember = (schema: string, fresh: CachedDefinitions): void => {
		const cached = schemas.get(schema);
		if (cached === undefined || cached.revision < fresh.revision) schemas.set(schema, fresh);
		if (cached?.revision !== fresh.revision) return;
		for (const [id, row] of fresh.rows) cached.rows.set(id, row);
		cached.complete ||= fresh.complete;
	};

	const fetch = async (schema: string, ids: readonly number[] | 'all'): Promise<CachedDefinitions> => {
		const { revision, variables } = await store.snapshot(schema, ids);
		const rows = new Map<number, VariableRow | null>(variables);
		if (ids !== 'all') for (const id of ids) if (!rows.has(id)) rows.set(id, null);
		const fresh = { revision, rows, complete: ids === 'all' };
		remember(schema, { ...fresh, rows: new Map(rows) });
		return fresh;
	};

	return {
		get: async (schema, ids) => {
			const revision = await store.revision(schema);
			const cached = schemas.get(schema);
			if (cached?.revision !== revision) return pick(await fetch(schema, ids), ids);
			if (cached.complete) return pick(cached, ids);
			const missing = ids === 'all' ? ids : ids.filter((id) => !cached.rows.has(id));
			if (missing.length === 0) return pick(cached, ids);
			const fresh = await fetch(schema, missing);
			// A write landed in between: the cached rows are of an older revision, so all rows are read again together.
			if (fresh.revision !== revision) return pick(await fetch(schema, ids), ids);
			return ids === 'all' ? pick(fresh, ids) : new Map([...pick(cached, ids), ...pick(fresh, missing)]);
		},
	};
}

function pick({ rows }: CachedDefinitions, ids: readonly number[] | 'all'): ReadonlyMap<number, VariableRow> {
	const picked = new Map<number, VariableRow>();
	for (const id of ids === 'all' ? rows.keys() : ids) {
		const row = rows.get(id);
		if (row !== undefined && row !== null && !row.deleting) picked.set(id, row);
	}
	return picked;
}
