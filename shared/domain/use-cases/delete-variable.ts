import { definitionEvents } from '../alarm/definition-event.ts';
import { referencesOf } from '../board/board.ts';
import { userOf } from '../changes/change-entry.ts';
import type { BoardKey, BoardRow, SchemaReader } from '../ports/schema-store.ts';
import { checkVersion, type VersionMatch } from '../transaction/checks.ts';
import { keyText, type ReadSet, variableKey } from '../transaction/read-set.ts';
import { boardRowWithout, withReferencedBy } from '../transaction/referenced-by.ts';
import {
	type Decision,
	type IdempotencyRecordFactory,
	type ReadRows,
	type RowUpdate,
	runTransaction,
	type WriteDeps,
} from '../transaction/run-transaction.ts';
import { boardsUsing, usagesOf } from '../transaction/usages.ts';

/** Most boards that one commit removes a variable from. With the change and the event of each and the row of the variable they fit in a commit. */
export const boardsPerCommit = 30;

/**
 * Boards are read in groups of 4, until those that were read have 250 KB. A row has at most 350 KB, and is stored twice: as it is and as
 * it was. So a commit stays below 4 MB.
 */
const boardsPerRead = 4;
const bytesPerCommit = 250_000;

/** Whether the deletion deleted the variable; null while it needs further commits. */
type DeletionProgress = boolean | null;

/**
 * Deletes a variable and removes it from every board that refers to it: a chart, diagram or report loses what shows it, corrections and alarms
 * are deleted, which the journal of alarms tells of. The panel keeps its items, which then show no value
 * (shared/domain/transaction/README.md#deleting-a-variable).
 *
 * When there are more boards than one commit can change, the first commit marks the variable as `deleting`, so that nothing new
 * can refer to it. A deletion that was interrupted is finished by calling this function again.
 * @returns whether the variable existed
 * @throws DomainError `version_mismatch`, and the errors of `runTransaction`
 * @example
 * const existed = await deleteVariable(deps, 'plant', 7);
 */
export async function deleteVariable(
	deps: WriteDeps,
	schema: string,
	id: number,
	match: VersionMatch = null,
	createRecord?: IdempotencyRecordFactory<boolean>,
): Promise<boolean> {
	// Only the last commit completes the request, so only that one stores the idempotency record.
	const lastRecordOf =
		createRecord &&
		((deleted: DeletionProgress, isChanged: boolean) => (deleted === null ? undefined : createRecord(deleted, isChanged)));
	for (;;) {
		const deleted = await runTransaction(deps, schema, lastRecordOf, (read) => decideCommit(read, schema, id, match, deps));
		if (deleted !== null) return deleted;
	}
}

/**
 * Returns whether the variable exists and which usages `deleteVariable` would change, and deletes nothing.
 * @throws DomainError `version_mismatch`
 */
export async function previewDeletion(store: SchemaReader, schema: string, id: number, match: VersionMatch = null) {
	const [row] = await store.get(schema, [variableKey(id)]);
	const exists = row !== null && row !== undefined && !row.deleting;
	if (exists) checkVersion(match, row);
	return { exists, usages: await usagesOf(store, schema, id) };
}

/** Decides on the next commit of a deletion. It is the last one when it can change all boards that still refer to the variable. */
async function decideCommit(
	read: ReadRows,
	schema: string,
	id: number,
	match: VersionMatch,
	{ store, now, origin }: Pick<WriteDeps, 'store' | 'now' | 'origin'>,
): Promise<Decision<DeletionProgress>> {
	const key = variableKey(id);
	// Every `read` adds to this one set, so it later holds the boards that `readFirst` reads, too.
	const rows = await read([key]);
	const row = rows.get(key);
	if (row === null) return { changes: [], answer: false };
	if (!row.deleting) checkVersion(match, row);
	const boards = await boardsUsing(store, schema, row);
	// The first commit of a long deletion only marks the variable, so it needs no board.
	const changed = boards.length > boardsPerCommit && !row.deleting ? [] : await readFirst(read, boards);
	const change = { now: now(), user: userOf(origin), unit: row.variable.unit, comment: 'Its variable was deleted.' };
	// The row version of the deletion, which the entries of the boards name as their cause.
	const deletedAs = row.deletedAs ?? row.rowVersion + 1;
	const cause = { kind: key.kind, itemId: id, rowVersion: deletedAs };
	const events = boardsWith(rows, changed, id).flatMap(([, board]) => definitionEvents('deleted', board, change));
	if (changed.length === boards.length)
		return { changes: [{ key, row: null }, ...boardChanges(rows, changed, id)], events, cause, answer: true };
	if (!row.deleting)
		return { changes: [{ key, row: { ...row, deleting: true, deletedAs, rowVersion: deletedAs } }], answer: null };
	const referencedBy = new Map(row.referencedBy);
	for (const board of changed) referencedBy.delete(keyText(board));
	const changes = [{ key, row: withReferencedBy(row, referencedBy) }, ...boardChanges(rows, changed, id)];
	return { changes, events, cause, answer: null };
}

/** Reads the first boards, as many as one commit can change: neither too many nor too large together. */
async function readFirst(read: ReadRows, boards: readonly BoardKey[]): Promise<readonly BoardKey[]> {
	let bytes = 0;
	let count = 0;
	while (count < Math.min(boards.length, boardsPerCommit) && bytes < bytesPerCommit) {
		const next = boards.slice(count, Math.min(count + boardsPerRead, boardsPerCommit));
		const rows = await read(next);
		bytes += next.reduce((sum, key) => sum + bytesOf(rows.get(key)?.board.content ?? null), 0);
		count += next.length;
	}
	return boards.slice(0, count);
}

const bytesOf = (json: unknown): number => new TextEncoder().encode(JSON.stringify(json)).length;

/** The changes that remove the variable from boards. A board that was deleted or no longer refers to the variable has no change. */
const boardChanges = (rows: ReadSet, keys: readonly BoardKey[], id: number): readonly RowUpdate[] =>
	boardsWith(rows, keys, id).map(([key, row]) => ({ key, row: boardRowWithout(row, id) }));

const boardsWith = (rows: ReadSet, keys: readonly BoardKey[], id: number): readonly (readonly [BoardKey, BoardRow])[] =>
	keys.flatMap((key) => {
		const row = rows.get(key);
		return row !== null && referencesOf(row.board).some(({ varId }) => varId === id) ? [[key, row] as const] : [];
	});
