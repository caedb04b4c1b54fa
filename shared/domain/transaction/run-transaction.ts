import type { AlarmEvent } from '../alarm-rows/alarm-event.ts';
import type { Change, ChangeKey, ChangeOrigin } from '../changes/change-entry.ts';
import { DomainError } from '../errors.ts';
import type { IdempotencyRecord, Row, RowCommit, RowKey, SchemaStore } from '../ports/schema-store.ts';
import { schemaFull } from './growth.ts';
import { keyText, ReadSet } from './read-set.ts';
import { type ChangeContext, changeOfRow } from './row-change.ts';

/** Attempts of one transaction, each after a conflict with another write. */
const maxAttempts = 12;
/** When a client should repeat a request after too many conflicts. */
const retryAfterMs = 1000;

/** A row to store, or to delete (null). */
export interface RowUpdate {
	readonly key: RowKey;
	readonly row: Row | null;
}

/** The result of a decision: the rows to change, the events for the journal of alarms, and the answer to the caller. */
export interface Decision<Answer> {
	readonly changes: readonly RowUpdate[];
	/** Only together with changes. */
	readonly events?: readonly AlarmEvent[];
	/** The deletion that causes all other changes. */
	readonly cause?: ChangeKey;
	/** The change brings back what was deleted. */
	readonly restores?: boolean;
	readonly answer: Answer;
}

/** The dependencies of a transaction: the store, and a pause before the next attempt (with jitter, longer for each attempt). */
export interface TransactionDeps {
	readonly store: SchemaStore;
	readonly pause: (attempt: number) => Promise<void>;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** The dependencies of a write, and who asks for it: the journal of changes tells of each (shared/domain/changes/README.md). */
export interface WriteDeps extends TransactionDeps {
	readonly origin: ChangeOrigin;
}

/**
 * Builds the idempotency record that is stored with the commit, so that a retry gets the same response. The factory is undefined
 * when the client sent no key; it returns undefined for a commit that does not complete the request. `isChanged`: whether the commit
 * changes rows.
 */
export type IdempotencyRecordFactory<Answer> =
	| ((answer: Answer, isChanged: boolean) => IdempotencyRecord | undefined)
	| undefined;

/** In place of a factory of records: the transaction stores no idempotency record. */
export const noRecord = undefined;

/** Reads the given rows, unless they were read before, and returns every row read so far. */
export type ReadRows = (keys: readonly RowKey[]) => Promise<ReadSet>;

/**
 * Runs an optimistic transaction: reads rows, decides, and commits on condition that no row read has changed since. A conflict starts again
 * with fresh reads. A decision without changes and without an idempotency record commits nothing. The commit adds an entry to the
 * journal of changes for each definition that it changes (shared/domain/transaction/README.md#commits).
 * @param decide reads the rows that it relies on, and returns the decision; called once for each attempt
 * @returns the answer of the decision that was committed
 * @throws DomainError `write_contention` after too many conflicts, `key_in_use` when another request took over the claim,
 * `too_large` when the schema has too many rows of a kind (`maxRows`), and the errors of `decide` and of the store
 * @example
 * const deleted = await runTransaction(deps, 'plant', noRecord, async (read) => {
 * 	const rows = await read([panelKey]);
 * 	if (rows.get(panelKey) === null) return { changes: [], answer: false };
 * 	return { changes: [{ key: panelKey, row: null }], answer: true };
 * });
 */
export async function runTransaction<Answer>(
	{ store, pause, now, origin }: WriteDeps,
	schema: string,
	createRecord: IdempotencyRecordFactory<Answer>,
	decide: (read: ReadRows) => Promise<Decision<Answer>>,
): Promise<Answer> {
	for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
		const rows = new ReadSet();
		const decision = await decide(async (keys) => {
			await rows.read(store, schema, keys);
			return rows;
		});
		const { answer, events = [] } = decision;
		const record = createRecord?.(answer, decision.changes.length > 0);
		if (decision.changes.length === 0 && record === undefined) return answer;
		const commits = commitOf(rows, decision.changes);
		const changes = changesOf(rows, decision, { at: now(), origin });
		const outcome = await store.commit(schema, commits, record, { events, changes });
		if (outcome === 'committed') return answer;
		if (outcome === 'claim_lost') throw new DomainError('key_in_use', { reason: 'running' });
		if (outcome === 'full') throw schemaFull(commits);
		await pause(attempt);
	}
	throw new DomainError('write_contention', { retryAfterMs });
}

/** The entries that tell of a decision. */
function changesOf(rows: ReadSet, { changes, cause, restores }: Decision<unknown>, context: ChangeContext): readonly Change[] {
	return changes.flatMap(({ key, row: after }) =>
		changeOfRow({ key, before: rows.get(key), after }, { ...context, cause, restores }),
	);
}

/** Returns a condition for each row that was read, together with its change, if it has one. */
function commitOf(rows: ReadSet, changes: readonly RowUpdate[]): readonly RowCommit[] {
	/** The changes whose rows are not found yet. */
	const remaining = new Map(changes.map(({ key, row }) => [keyText(key), row]));
	const commits = rows.all().map(({ key, row }): RowCommit => {
		const put = remaining.get(keyText(key));
		remaining.delete(keyText(key));
		const expected = row?.rowVersion ?? null;
		if (put === undefined) return { key, expected };
		return { key, expected, put, ...(keepsDefinition(row, put) ? { keepsDefinition: true } : {}) };
	});
	if (remaining.size > 0) throw new RangeError(`These rows are changed but were not read: ${[...remaining.keys()].join(', ')}.`);
	return commits;
}

/** Whether a change of a variable's row concerns only `referencedBy`: a save advances its version, a deletion marks or deletes it. */
function keepsDefinition(before: Row | null, after: Row | null): boolean {
	if (before?.kind !== 'variable' || after?.kind !== 'variable') return false;
	return before.version === after.version && before.deleting === after.deleting;
}
