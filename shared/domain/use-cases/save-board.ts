import type { AlarmEvent } from '../alarm-rows/alarm-event.ts';
import { type Board, boardWithId, completeBoard, referencesOf } from '../board/board.ts';
import { DomainError } from '../errors.ts';
import type { BoardKey, BoardRow } from '../ports/schema-store.ts';
import { checkReferences, checkRowSize, checkVersion, type VersionMatch } from '../transaction/checks.ts';
import type { ReadSet } from '../transaction/read-set.ts';
import { readBoard, referencedByChanges } from '../transaction/referenced-by.ts';
import { isSameContent } from '../transaction/row-change.ts';
import {
	type IdempotencyRecordFactory,
	noRecord,
	type ReadRows,
	runTransaction,
	type WriteDeps,
} from '../transaction/run-transaction.ts';

/** A row to store, and its events for the journal of alarms. */
interface CompletedSave {
	readonly row: BoardRow;
	readonly events: readonly AlarmEvent[];
}

/**
 * Saves a board: id 0 creates one, any other id must exist. Every variable and bit that it refers to must exist; the rows of those
 * variables record the reference. A save that changes nothing stores nothing and keeps the version. An alarm is saved by `saveAlarm`.
 * @param complete adds what the kind of board needs to a decided save; called before each attempt to commit it
 * @returns the stored row, with its id
 * @throws DomainError `not_found`, `version_mismatch`, `invalid`, `too_large`, and the errors of `runTransaction`
 */
export async function saveBoard(
	deps: WriteDeps,
	schema: string,
	sent: Board,
	match: VersionMatch = null,
	createRecord?: IdempotencyRecordFactory<BoardRow>,
	complete: (next: NextBoard) => Promise<CompletedSave> = async ({ row }) => ({ row, events: [] }),
): Promise<BoardRow> {
	const isNew = sent.content.id === 0;
	// Nothing is stored yet, so any If-Match is refused, before an id is used up.
	if (isNew) checkVersion(match, null);
	const board = isNew ? boardWithId(sent, await deps.store.nextId(schema)) : sent;
	const key: BoardKey = { kind: board.kind, id: board.content.id };
	return runTransaction(deps, schema, createRecord, async (read) => {
		const next = await nextBoard(read, { ...deps, schema }, board, { isNew, match });
		const { rows, stored } = next;
		const { row, events } = await complete(next);
		const references = referencedByChanges(rows, key, row.board);
		// A reference that is missing in the row of a variable is stored even then.
		if (stored !== null && isSameContent(stored, row)) return { changes: references, answer: stored };
		return { changes: [{ key, row }, ...references], events, answer: row };
	});
}

/**
 * Returns what a save of a board would store, and stores nothing. A new board keeps the id 0.
 * @throws DomainError as `nextBoard`
 */
export async function previewBoard(deps: WriteDeps, schema: string, sent: Board, match: VersionMatch): Promise<NextBoard> {
	return runTransaction(deps, schema, noRecord, async (read) => ({
		changes: [],
		answer: await nextBoard(read, { ...deps, schema }, sent, { isNew: sent.content.id === 0, match }),
	}));
}

/** The row that a save of a board stores, the row that is stored, and every row that was read for it. */
export interface NextBoard {
	readonly rows: ReadSet;
	readonly stored: BoardRow | null;
	readonly row: BoardRow;
}

/**
 * Decides what a save of a board stores.
 * @throws DomainError `not_found`, `version_mismatch`, `invalid`, `too_large`
 */
async function nextBoard(
	read: ReadRows,
	deps: Parameters<typeof readBoard>[1],
	sent: Board,
	{ isNew, match }: { readonly isNew: boolean; readonly match: VersionMatch },
): Promise<NextBoard> {
	const key: BoardKey = { kind: sent.kind, id: sent.content.id };
	const rows = await readBoard(read, deps, key, sent);
	const stored = key.id === 0 ? null : rows.get(key);
	if (stored === null && !isNew) throw new DomainError('not_found', key);
	checkVersion(match, stored);
	checkReferences(rows, referencesOf(sent));
	const board = completeBoard(sent, stored?.board ?? null);
	checkRowSize(board.content);
	const version = (stored?.version ?? 0) + 1;
	// `bindAlarms` advances the row version of an alarm alone, so it may be ahead of the version.
	const rowVersion = (stored?.rowVersion ?? 0) + 1;
	return { rows, stored, row: { kind: board.kind, version, rowVersion, board } };
}
