import { createLruCache } from '../lru-cache.ts';
import type { BoardRow, PackedRevision, SchemaReader } from '../ports/schema-store.ts';
import { markedRevision } from '../reading/cached-definitions.ts';

/** The definitions of the alarms of every schema. */
export interface SavedAlarms {
	/**
	 * Returns all alarms of a schema by ascending id, with every write that completed before the call.
	 * @param now epoch milliseconds
	 */
	list(schema: string, now: number): Promise<readonly BoardRow[]>;
}

/** The alarms of a schema as they were read at a revision, which was first seen at `seenAt`. */
interface CachedAlarms extends Pick<PackedRevision, 'revision' | 'mark'> {
	readonly seenAt: number;
	readonly rows: readonly BoardRow[];
	/** Whether every commit up to `revision` was visible when the rows were read. */
	readonly settled: boolean;
}

const maxSchemas = 1000;

/** Most bytes of definitions that are kept for all schemas together. A function has 512 MB. */
const maxBytes = 50_000_000;

/** Measured in Node 24: an alarm without its texts. */
const emptyRowBytes = 500;

/** A commit takes less than this. Its items become visible to plain reads one by one, the metadata perhaps first. */
const commitMs = 60_000;

/**
 * Creates a cache of alarms by schema and revision (shared/domain/alarm/README.md#the-cache-of-definitions). Each call reads the revision.
 * Rows are used again only if they were read a minute after their revision was first seen.
 */
export function createSavedAlarms(store: Pick<SchemaReader, 'revision' | 'list'>): SavedAlarms {
	const schemas = createLruCache<string, CachedAlarms>(maxSchemas, { maxWeight: maxBytes, weightOf: bytesOf });
	return {
		list: async (schema, now) => {
			const { revision, mark } = markedRevision(await store.revision(schema));
			const cached = schemas.get(schema);
			const isSame = cached?.revision === revision && cached.mark === mark;
			if (isSame && cached.settled) return cached.rows;
			const seenAt = isSame ? cached.seenAt : now;
			const rows = await store.list(schema, 'alarm');
			schemas.set(schema, { revision, mark, seenAt, rows, settled: now - seenAt >= commitMs });
			return rows;
		},
	};
}

/** Estimates the size of alarms in memory, in bytes. */
function bytesOf({ rows }: CachedAlarms): number {
	return rows.length * emptyRowBytes + JSON.stringify(rows).length;
}
