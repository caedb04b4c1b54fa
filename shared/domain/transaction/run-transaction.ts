import type { AlarmEvent } from '../alarm-rows/alarm-event.ts';
import { DomainError } from '../errors.ts';
import {
	type IdempotencyRecord,
	maxRowsPerCommit,
	type Row,
	type RowCommit,
	type RowKey,
	type SchemaStore,
} from '../ports/schema-store.ts';
import { schemaFull } from './growth.ts';
import { keyText, ReadSet } from './read-set.ts';

/** Attempts of one transaction, each after a conflict with another write. */
const maxAttempts = 12;
const retryAfterMs = 1000;

/** A row to store, or to delete (null). */
export interface Change {
	readonly key: RowKey;
	readonly row: Row | null;
}

/** The result of a decision: the rows to change, the events for the journal of alarms, and the answer to the caller. */
export interface Decision<Answer> {
	readonly changes: readonly Change[];
	/** Only together with changes. */
	readonly events?: readonly AlarmEvent[];
	readonly answer: Answer;
}

/** The dependencies of a write: the store, and a pause before the next attempt (with jitter, longer for each attempt). */
export interface WriteDeps {
	readonly store: SchemaStore;
	readonly pause: (attempt: number) => Promise<void>;
}

/** The dependencies of a write that the journal of alarms may tell of. */
export interface JournaledWriteDeps extends WriteDeps {
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/**
 * Builds the idempotency record that is stored with the commit, so that a retry gets the same response. The factory is undefined
 * when the client sent no key; it returns undefined for a commit that does not complete the request.
 */
export type IdempotencyRecordFactory<Answer> = ((answer: Answer) => IdempotencyRecord | undefined) | undefined;

/** Reads the given rows, unless they were read before, and returns every row read so far. */
export type ReadRows = (keys: readonly RowKey[]) => Promise<ReadSet>;

/**
 * Runs an optimistic transaction: reads rows, decides, and commits on condition that no row read has changed since. A conflict starts again
 * with fresh reads. A decision without changes and without an idempotency record commits nothing
 * (shared/domain/transaction/README.md#commits).
 * @param decide reads the rows that it relies on, and returns the decision; called once for each attempt
 * @returns the answer of the decision that was committed
 * @throws DomainError `write_contention` after too many conflicts, `key_in_use` when another request took over the claim,
 * `too_large` when the schema has too many rows of a kind (`maxRows`), and the errors of `decide` and of the store
 * @example
 * const deleted = await runTransaction(deps, 'plant', undefined, async (read) => {
 * 	const rows = await read([panelKey]);
 * 	if (rows.get(panelKey) === null) return { changes: [], answer: false };
 * 	return { changes: [{ key: panelKey, row: null }], answer: true };
 * });
 */
export async function runTransaction<Answer>(
	{ store, pause }: WriteDeps,
	schema: string,
	recordOf: IdempotencyRecordFactory<Answer>,
	decide: (read: ReadRows) => Promise<Decision<Answer>>,
): Promise<Answer> {
	for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
		const rows = new ReadSet();
		const {
			changes,
			events = [],
			answer,
		} = await decide(async (keys) => {
			await rows.read(store, schema, keys);
			return rows;
		});
		const record = recordOf?.(answer);
		if (changes.length === 0 && record === undefined) return answer;
		const commits = commitOf(rows, changes, events);
		const outcome = await store.commit(schema, commits, record, events);
		if (outcome === 'committed') return answer;
		if (outcome === 'claim_lost') throw new DomainError('key_in_use', { reason: 'running' });
		if (outcome === 'full') throw schemaFull(commits);
		await pause(attempt);
	}
	throw new DomainError('write_contention', { retryAfterMs });
}

function commitOf(rows: ReadSet, changes: readonly Change[], events: readonly AlarmEvent[]): readonly RowCommit[] {
	const changed = new Map(changes.map(({ key, row }) => [keyText(key), row]));
	const commits = rows.all().map(({ key, row }): RowCommit => {
		const put = changed.get(keyText(key));
		changed.delete(keyText(key));
		const expected = row?.rowVersion ?? null;
		if (put === undefined) return { key, expected };
		return { key, expected, put, ...(keepsDefinition(row, put) ? { keepsDefinition: true } : {}) };
	});
	if (changed.size > 0) throw new RangeError(`These rows are changed but were not read: ${[...changed.keys()].join(', ')}.`);
	if (commits.length + events.length > maxRowsPerCommit)
		throw new RangeError(`A commit relies on ${commits.length} rows and adds ${events.length} events.`);
	return commits;
}

/** Whether a change of a variable's row concerns only `referencedBy`: a save advances its version, a deletion marks or deletes it. */
function keepsDefinition(before: Row | null, after: Row | null): boolean {
	if (before?.kind !== 'variable' || after?.kind !== 'variable') return false;
	return before.version === after.version && before.deleting === after.deleting;
}
