import type { Definition, PackedRevision, SchemaRevision } from '../ports/schema-store.ts';
import { toJson } from '../variable/variable.ts';

/** Definitions of one schema at one revision. `listed`: if it grew by less than the revision, some commits listed nothing. */
export interface CachedDefinitions {
	revision: number;
	listed: number;
	mark: number;
	readonly rows: Map<number, SizedDefinition>;
	/** Ids without a variable at that revision, the ones asked for first at the front. */
	readonly absent: Set<number>;
	/** Whether `rows` holds every variable of the schema. */
	complete: boolean;
	/** The estimated size of `rows` in memory. */
	rowBytes: number;
}

interface SizedDefinition extends Definition {
	/** The estimated size in memory. */
	readonly bytes: number;
}

/** Most ids without a variable that are remembered for one schema. Clients can name any number of them. */
const maxAbsentIds = 10_000;

/** The size in memory of a definition without its texts, and of an absent id, in bytes. Measured in Node 24. */
const emptyRowBytes = 500;
const absentBytes = 30;

/** Returns the definitions that a snapshot or a pack holds of `ids`. */
export function definitionsOf(
	{ revision, listed, mark }: PackedRevision,
	variables: ReadonlyMap<number, Definition>,
	ids: readonly number[] | 'all',
): CachedDefinitions {
	const rows = new Map([...variables].map(([id, row]) => [id, sized(row)]));
	const absent = new Set(ids === 'all' ? [] : ids.filter((id) => !variables.has(id)));
	const rowBytes = [...rows.values()].reduce((total, { bytes }) => total + bytes, 0);
	return { revision, listed, mark, rows, absent, complete: ids === 'all', rowBytes };
}

/**
 * Merges fresh definitions into a cache, which then has their revision. They must hold every variable that changed since the cache's own
 * revision.
 */
export function mergeInto(cached: CachedDefinitions, fresh: CachedDefinitions): void {
	cached.revision = fresh.revision;
	cached.listed = fresh.listed;
	cached.mark = fresh.mark;
	for (const [id, row] of fresh.rows) {
		cached.rowBytes += row.bytes - (cached.rows.get(id)?.bytes ?? 0);
		cached.rows.set(id, row);
		cached.absent.delete(id);
	}
	for (const id of fresh.absent) {
		cached.rowBytes -= cached.rows.get(id)?.bytes ?? 0;
		cached.rows.delete(id);
		cached.absent.add(id);
	}
	cached.complete ||= fresh.complete;
}

/** Drops the oldest of too many absent ids. */
export function dropOldAbsent({ absent }: CachedDefinitions): void {
	for (const id of absent) {
		if (absent.size <= maxAbsentIds) return;
		absent.delete(id);
	}
}

/** Whether the cache knows the variable of an id, or that there is none. */
export function isKnown({ complete, rows, absent }: CachedDefinitions, id: number): boolean {
	return complete || rows.has(id) || absent.has(id);
}

/**
 * Returns the ids whose definitions changed after `from`, up to `to`; undefined where the list of changes does not say: it is too
 * short, a function of an earlier release wrote in between (shared/adapters/dynamo/README.md#metadata), or `from` does not precede `to`.
 */
export function changedBetween(from: PackedRevision, to: SchemaRevision): readonly number[] | undefined {
	const commits = to.revision - from.revision;
	if (!precedes(from, to) || commits > to.changes.length || commits !== to.listed - from.listed) return undefined;
	return to.changes.slice(to.changes.length - commits).flat();
}

/**
 * Whether a schema was at a revision before it came to `now`, as far as the list of changes reaches back. A schema that was restored
 * and written anew comes to the same revision with other definitions. At revision 0 it has none.
 */
export function precedes({ revision, mark }: PackedRevision, now: SchemaRevision): boolean {
	const behind = now.revision - revision;
	if (behind === 0) return mark === lastMarkOf(now);
	return behind > 0 && (revision === 0 || now.marks.at(-1 - behind) === mark);
}

/** Returns the mark of a revision; 0: the commit had none. */
export function lastMarkOf({ marks }: Pick<SchemaRevision, 'marks'>): number {
	return marks.at(-1) ?? 0;
}

/** Returns a revision by its mark, without the changes that led to it. */
export function markedRevision({ revision, listed, marks }: SchemaRevision): PackedRevision {
	return { revision, listed, mark: lastMarkOf({ marks }) };
}

/** Returns the variables of `ids` that exist and are not being deleted. */
export function pick({ rows }: CachedDefinitions, ids: readonly number[] | 'all'): ReadonlyMap<number, Definition> {
	const picked = new Map<number, Definition>();
	for (const id of ids === 'all' ? rows.keys() : ids) {
		const row = rows.get(id);
		if (row !== undefined && !row.deleting) picked.set(id, row);
	}
	return picked;
}

/** Estimates the size of definitions in memory, in bytes. */
export function sizeInMemory({ rowBytes, absent }: CachedDefinitions): number {
	return rowBytes + absent.size * absentBytes;
}

function sized({ variable, version, deleting, unread }: Definition): SizedDefinition {
	const bytes = emptyRowBytes + JSON.stringify(unread ?? toJson(variable)).length;
	return { variable, version, deleting, ...(unread === undefined ? {} : { unread }), bytes };
}
