import { type Board, boardWithId, referencesOf } from '../board/board.ts';
import { DomainError } from '../errors.ts';
import type { BoardKey, BoardRow } from '../ports/schema-store.ts';
import { referenceIssues } from '../transaction/check-references.ts';
import { keyText, type ReadSet, variableKey } from '../transaction/read-set.ts';
import { referencedByChanges } from '../transaction/referenced-by.ts';
import { checkRowSize } from '../transaction/row-size.ts';
import {
	type Decision,
	type IdempotencyRecordFactory,
	type ReadRows,
	runTransaction,
	type WriteDeps,
} from '../transaction/run-transaction.ts';
import { checkVersion, type VersionMatch } from '../transaction/version-match.ts';

/** Decides on saving a board: its variables must exist and have the bits that it picks, and each learns that it is used. */
export function decideBoard(rows: ReadSet, board: Board, isNew: boolean, match: VersionMatch): Decision<BoardRow> {
	const key = keyOf(board);
	const stored = rows.get(key);
	if (stored === null && !isNew)
		throw new DomainError('not_found', {
			field: 'id',
			message: `There is no ${board.kind} ${key.id}; send id 0 to make a new one.`,
		});
	checkVersion(match, stored);
	const offences = referenceIssues(rows, referencesOf(board));
	if (offences.length > 0) throw new DomainError('invalid', { offences });
	checkRowSize(board.content);
	const next = (stored?.version ?? 0) + 1;
	const row: BoardRow = { kind: board.kind, version: next, rowVersion: next, board };
	return { changes: [{ key, row }, ...referencedByChanges(rows, keyText(key), stored?.board ?? null, board)], answer: row };
}

/**
 * Saves a board: id 0 creates one, any other id must exist.
 * @returns the row as stored, with its id
 */
export async function saveBoard(
	deps: WriteDeps,
	schema: string,
	sent: Board,
	match: VersionMatch = null,
	receipted?: IdempotencyRecordFactory<BoardRow>,
): Promise<BoardRow> {
	const isNew = sent.content.id === 0;
	if (isNew) checkVersion(match, null);
	const board = isNew ? boardWithId(sent, await deps.store.nextId(schema)) : sent;
	return runTransaction(deps, schema, receipted, async (read) =>
		decideBoard(await readRelied(read, keyOf(board), board), board, isNew, match),
	);
}

/** Deletes a board, and its variables forget that it used them. @returns whether there was one */
export async function deleteBoard(
	deps: WriteDeps,
	schema: string,
	key: BoardKey,
	match: VersionMatch = null,
	receipted?: IdempotencyRecordFactory<boolean>,
): Promise<boolean> {
	return runTransaction(deps, schema, receipted, async (read) => {
		const rows = await readRelied(read, key, null);
		const stored = rows.get(key);
		if (stored === null) return { changes: [], answer: false };
		checkVersion(match, stored);
		return { changes: [{ key, row: null }, ...referencedByChanges(rows, keyText(key), stored.board, null)], answer: true };
	});
}

const keyOf = ({ kind, content }: Board): BoardKey => ({ kind, id: content.id });

/** Reads what a change of a board relies on: itself, and every variable that it drops or takes up. */
async function readRelied(read: ReadRows, key: BoardKey, next: Board | null): Promise<ReadSet> {
	const stored = (await read([key])).get(key);
	return read([...variablesOf(stored?.board ?? null), ...variablesOf(next)]);
}

const variablesOf = (board: Board | null) => (board === null ? [] : referencesOf(board).map(({ varId }) => variableKey(varId)));
