import { type Board, referencesOf, withoutVariable } from '../board/board.ts';
import type { BoardKey, BoardRow, RowKey, SchemaStore } from '../ports/schema-store.ts';
import { keyText, type ReadSet, variableKey } from '../transaction/read-set.ts';
import { withReferencedBy } from '../transaction/referenced-by.ts';
import {
	type Change,
	type Decision,
	type IdempotencyRecordFactory,
	type ReadRows,
	runTransaction,
	type WriteDeps,
} from '../transaction/run-transaction.ts';
import { checkVersion, type VersionMatch } from '../transaction/version-match.ts';
import { boardKeysOf, usagesOf } from './usages.ts';

/** Most boards that one commit drops a variable from: with the variable's own row, well within a commit. */
export const boardsPerCommit = 90;

/** Boards are read a few at a time, until those read are this large together: with rows of 350 KB a commit stays under 4 MB. */
const boardsPerRead = 8;

const enoughBytes = 500_000;

/** What one commit of a deletion came to: whether it was the last, and whether it deleted the variable. */
interface Step {
	readonly done: boolean;
	readonly deleted: boolean;
}

const unfinished: Step = { done: false, deleted: false };

/**
 * Deletes a variable, and drops it from every board that refers to it: a chart or diagram loses its items, an alarm goes
 * (specification section 4.1, rule 2). With more users than one commit takes, the first marks the variable as going, so that
 * nothing new refers to it; called again after an interruption, it finishes. The panel keeps its items, which then show
 * nothing (design section 4).
 * @returns whether there was one
 */
export async function deleteVariable(
	deps: WriteDeps,
	schema: string,
	id: number,
	match: VersionMatch = null,
	receipted?: IdempotencyRecordFactory<boolean>,
): Promise<boolean> {
	const receiptOf = receipted && (({ done, deleted }: Step) => (done ? receipted(deleted) : undefined));
	for (;;) {
		const { done, deleted } = await runTransaction(deps, schema, receiptOf, (read) => decideStep(read, id, match));
		if (done) return deleted;
	}
}

/** What deleting would do, deleting nothing. */
export async function previewDeletion(store: SchemaStore, schema: string, id: number, match: VersionMatch = null) {
	const [row] = await store.get(schema, [variableKey(id)]);
	const exists = row !== null && row !== undefined && !row.deleting;
	if (exists) checkVersion(match, row);
	return { exists, usages: await usagesOf(store, schema, id) };
}

/** Decides on the next commit of a deletion: the last one where one commit can drop all users that are left. */
async function decideStep(read: ReadRows, id: number, match: VersionMatch): Promise<Decision<Step>> {
	const key = variableKey(id);
	const rows = await read([key]);
	const row = rows.get(key);
	if (row === null) return { changes: [], answer: { done: true, deleted: false } };
	if (!row.deleting) checkVersion(match, row);
	const users = boardKeysOf(row.referencedBy);
	const going: Decision<Step> = {
		changes: [{ key, row: { ...row, deleting: true, rowVersion: row.rowVersion + 1 } }],
		answer: unfinished,
	};
	if (users.length > boardsPerCommit && !row.deleting) return going;
	const dropped = await readSome(read, users);
	const last = dropped.length === users.length;
	if (!last && !row.deleting) return going;
	const drops = dropFrom(rows, dropped, id);
	if (last) return { changes: [{ key, row: null }, ...drops], answer: { done: true, deleted: true } };
	const usedBy = new Map(row.referencedBy);
	for (const each of dropped) usedBy.delete(keyText(each));
	return { changes: [{ key, row: withReferencedBy(row, usedBy) }, ...drops], answer: unfinished };
}

/** Reads as many of the boards as one commit takes: neither too many nor, together, too large. */
async function readSome(read: ReadRows, users: readonly BoardKey[]): Promise<readonly BoardKey[]> {
	let bytes = 0;
	let count = 0;
	while (count < Math.min(users.length, boardsPerCommit) && bytes < enoughBytes) {
		const next = users.slice(count, Math.min(count + boardsPerRead, boardsPerCommit));
		const rows = await read(next);
		bytes += next.reduce((sum, key) => sum + JSON.stringify(rows.get(key)?.board.content ?? null).length, 0);
		count += next.length;
	}
	return users.slice(0, count);
}

/** The changes that drop the variable from boards that were read. One that is gone already, or does not refer to it, has none. */
const dropFrom = (rows: ReadSet, keys: readonly RowKey[], id: number): readonly Change[] =>
	keys.flatMap((key): Change[] => {
		const row = rows.get(key);
		const refers = row !== null && 'board' in row && referencesOf(row.board).some(({ varId }) => varId === id);
		return refers ? [{ key, row: rowWithout(row, id) }] : [];
	});

/** The board's row without the variable; null where the board goes with it. */
function rowWithout(row: BoardRow, id: number): BoardRow | null {
	const left = contentWithout(row.board, id);
	return left === null ? null : { ...row, board: left, version: row.version + 1, rowVersion: row.rowVersion + 1 };
}

function contentWithout<Kind extends Board['kind']>(board: Board<Kind>, id: number): Board<Kind> | null {
	const content = withoutVariable(board, id);
	return content === null ? null : { ...board, content };
}
