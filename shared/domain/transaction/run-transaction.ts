import { DomainError } from '../errors.ts';
import {
	type IdempotencyRecord,
	maxRowsPerCommit,
	maxVariables,
	type Row,
	type RowCommit,
	type RowKey,
	type SchemaStore,
} from '../ports/schema-store.ts';
import { keyText, ReadSet } from './read-set.ts';

/** How often a write that met another one is tried before it gives up. */
const maxAttempts = 12;

const retryAfterMs = 1000;

/** A row to store, or to delete (null). */
export interface Change {
	readonly key: RowKey;
	readonly row: Row | null;
}

/** What a decision comes to: the rows to change, and what the client is answered. */
export interface Decision<Answer> {
	readonly changes: readonly Change[];
	readonly answer: Answer;
}

/** What a write needs: the store, and a pause before the next attempt (jittered, longer each time). */
export interface WriteDeps {
	readonly store: SchemaStore;
	readonly pause: (attempt: number) => Promise<void>;
}

/** Makes of an answer what is kept for the repeats of a request, if anything; absent where the client gave no key. */
export type IdempotencyRecordFactory<Answer> = ((answer: Answer) => IdempotencyRecord | undefined) | undefined;

/** Reads further rows that the decision relies on. */
export type ReadRows = (keys: readonly RowKey[]) => Promise<ReadSet>;

/**
 * Writes as design section 6 says: read the rows relied on, decide, commit on condition of every one of them, changed or
 * not; a conflict starts again. A decision without changes and without a receipt commits nothing.
 * @param decide reads what it relies on, then decides; called anew with every attempt
 * Throws what `decide` throws, `write_contention` after too many conflicts, `key_in_use` where the claim was lost meanwhile.
 */
export async function runTransaction<Answer>(
	{ store, pause }: WriteDeps,
	schema: string,
	receipted: IdempotencyRecordFactory<Answer>,
	decide: (read: ReadRows) => Promise<Decision<Answer>>,
): Promise<Answer> {
	for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
		const rows = new ReadSet();
		const { changes, answer } = await decide(async (keys) => {
			await rows.read(store, schema, keys);
			return rows;
		});
		const receipt = receipted?.(answer);
		if (changes.length === 0 && receipt === undefined) return answer;
		const outcome = await store.commit(schema, commitOf(rows, changes), receipt);
		if (outcome === 'committed') return answer;
		if (outcome === 'claim_lost') throw new DomainError('key_in_use', { why: 'running' });
		if (outcome === 'full')
			throw new DomainError('too_large', {
				field: 'request',
				what: 'variables in the schema',
				actual: maxVariables + 1,
				limit: maxVariables,
			});
		await pause(attempt);
	}
	throw new DomainError('write_contention', { retryAfterMs });
}

function commitOf(rows: ReadSet, changes: readonly Change[]): readonly RowCommit[] {
	const changed = new Map(changes.map(({ key, row }) => [keyText(key), row]));
	const commits = rows.all().map(({ key, row }): RowCommit => {
		const put = changed.get(keyText(key));
		changed.delete(keyText(key));
		return { key, expected: row?.rowVersion ?? null, ...(put === undefined ? {} : { put }) };
	});
	if (changed.size > 0) throw new RangeError(`Rows are changed that were not read: ${[...changed.keys()].join(', ')}.`);
	if (commits.length > maxRowsPerCommit) throw new RangeError(`A commit relies on ${commits.length} rows.`);
	return commits;
}
