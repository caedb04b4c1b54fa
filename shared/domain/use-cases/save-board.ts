import { type Board, boardWithId, referencesOf } from '../board/board.ts';
import { DomainError } from '../errors.ts';
import type { BoardKey, BoardRow } from '../ports/schema-store.ts';
import { checkReferences, checkRowSize, checkVersion, type VersionMatch } from '../transaction/checks.ts';
import { keyText } from '../transaction/read-set.ts';
import { readBoard, referencedByChanges } from '../transaction/referenced-by.ts';
import { type IdempotencyRecordFactory, runTransaction, type WriteDeps } from '../transaction/run-transaction.ts';

/**
 * Saves a board: id 0 creates one, any other id must exist. Every variable and bit that it refers to must exist; the rows of
 * those variables record the reference.
 * @returns the stored row, with its id
 * @throws DomainError `not_found`, `version_mismatch`, `invalid`, `too_large`, and the errors of `runTransaction`
 */
export async function saveBoard(
	deps: WriteDeps,
	schema: string,
	sent: Board,
	match: VersionMatch = null,
	recordOf?: IdempotencyRecordFactory<BoardRow>,
): Promise<BoardRow> {
	const isNew = sent.content.id === 0;
	if (isNew) checkVersion(match, null);
	const board = isNew ? boardWithId(sent, await deps.store.nextId(schema)) : sent;
	const key: BoardKey = { kind: board.kind, id: board.content.id };
	return runTransaction(deps, schema, recordOf, async (read) => {
		const rows = await readBoard(read, key, board);
		const stored = rows.get(key);
		if (stored === null && !isNew) throw new DomainError('not_found', key);
		checkVersion(match, stored);
		checkReferences(rows, referencesOf(board));
		checkRowSize(board.content);
		const version = (stored?.version ?? 0) + 1;
		const row: BoardRow = { kind: board.kind, version, rowVersion: version, board };
		return { changes: [{ key, row }, ...referencedByChanges(rows, keyText(key), stored?.board ?? null, board)], answer: row };
	});
}
