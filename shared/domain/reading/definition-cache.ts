import { createLruCache } from '../lru-cache.ts';
import type { SchemaStore, VariableRow } from '../ports/schema-store.ts';
import { toJson } from '../variable/variable.ts';

/** The variables of one schema, by id. */
export interface DefinitionCache {
	/**
	 * Returns the given variables of a schema, or all of them. All are of one revision, which includes every write that completed
	 * before the call. Ids without a variable are left out.
	 */
	get(schema: string, ids: readonly number[] | 'all'): Promise<ReadonlyMap<number, VariableRow>>;
}

/** Definitions of one revision. */
interface CachedDefinitions {
	readonly revision: number;
	readonly rows: Map<number, VariableRow>;
	/** Ids without a variable at that revision, the ones asked for first at the front. */
	readonly absent: Set<number>;
	/** Whether `rows` holds every variable of the schema. */
	readonly complete: boolean;
	/** The estimated size of `rows` and `absent` in memory. */
	readonly bytes: number;
}

const maxSchemas = 100;

/** Most ids without a variable that are remembered for one schema. Clients can name any number of them. */
const maxAbsentIds = 10_000;

/** Most bytes of definitions that are kept for all schemas together. A function has 512 MB. */
const maxBytes = 50_000_000;

/** Measured in Node 24: a row without its texts, one entry of `referencedBy`, one absent id. */
const rowBytes = 500;
const referenceBytes = 300;
const absentBytes = 30;

/**
 * Creates a cache of variables by schema and revision (DESIGN.md section 6.6). A poll reads the revision, and a snapshot of the
 * variables that are not cached for that revision. Definitions beyond 50 MB are dropped and read again.
 */
export function createDefinitionCache(store: SchemaStore): DefinitionCache {
	const schemas = createLruCache<string, CachedDefinitions>(maxSchemas, { maxWeight: maxBytes, weightOf: ({ bytes }) => bytes });

	const remember = (schema: string, fresh: CachedDefinitions): void => {
		const cached = schemas.get(schema);
		if (cached === undefined || cached.revision < fresh.revision) schemas.set(schema, fresh);
		else if (cached.revision === fresh.revision) schemas.set(schema, merged(cached, fresh));
	};

	const fetch = async (schema: string, ids: readonly number[] | 'all'): Promise<CachedDefinitions> => {
		const { revision, variables } = await store.snapshot(schema, ids);
		const absent = new Set(ids === 'all' ? [] : ids.filter((id) => !variables.has(id)).slice(-maxAbsentIds));
		const bytes = absent.size * absentBytes + sum([...variables.values()].map(bytesOf));
		const fresh = { revision, rows: new Map(variables), absent, complete: ids === 'all', bytes };
		remember(schema, fresh);
		return fresh;
	};

	return {
		get: async (schema, ids) => {
			const revision = await store.revision(schema);
			const cached = schemas.get(schema);
			if (cached?.revision !== revision) return pick(await fetch(schema, ids), ids);
			if (cached.complete) return pick(cached, ids);
			const missing = ids === 'all' ? ids : ids.filter((id) => !cached.rows.has(id) && !cached.absent.has(id));
			if (missing.length === 0) return pick(cached, ids);
			const fresh = await fetch(schema, missing);
			// A write landed in between: the cached rows are of an older revision, so all rows are read again together.
			if (fresh.revision !== revision) return pick(await fetch(schema, ids), ids);
			return ids === 'all' ? pick(fresh, ids) : new Map([...pick(cached, ids), ...pick(fresh, missing)]);
		},
	};
}

/** Adds definitions to cached ones of the same revision. The oldest absent ids make room for new ones. */
function merged(cached: CachedDefinitions, { rows, absent, complete }: CachedDefinitions): CachedDefinitions {
	let { bytes } = cached;
	for (const [id, row] of rows) {
		if (!cached.rows.has(id)) bytes += bytesOf(row);
		cached.rows.set(id, row);
	}
	bytes -= cached.absent.size * absentBytes;
	for (const id of absent) cached.absent.add(id);
	for (const id of cached.absent) {
		if (cached.absent.size <= maxAbsentIds) break;
		cached.absent.delete(id);
	}
	return { ...cached, complete: cached.complete || complete, bytes: bytes + cached.absent.size * absentBytes };
}

/** Estimates the size of a row in memory. */
function bytesOf({ variable, referencedBy }: VariableRow): number {
	return rowBytes + JSON.stringify(toJson(variable)).length + referenceBytes * referencedBy.size;
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

function pick({ rows }: CachedDefinitions, ids: readonly number[] | 'all'): ReadonlyMap<number, VariableRow> {
	const picked = new Map<number, VariableRow>();
	for (const id of ids === 'all' ? rows.keys() : ids) {
		const row = rows.get(id);
		if (row !== undefined && !row.deleting) picked.set(id, row);
	}
	return picked;
}
