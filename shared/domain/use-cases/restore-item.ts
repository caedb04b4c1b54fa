import * as v from 'valibot';
import { type Board, boardOf, parseBoard, referencesOf, standInContent } from '../board/board.ts';
import { boardKinds } from '../board/board-kinds.ts';
import type { Change, ItemKey, ReplacedItem } from '../changes/change-entry.ts';
import { DomainError } from '../errors.ts';
import type { ChangeJournal } from '../ports/change-journal.ts';
import type { BoardKey, BoardRow, UnreadJson, VariableRow } from '../ports/schema-store.ts';
import { checkReferences, checkRowSize } from '../transaction/checks.ts';
import { variableKey } from '../transaction/read-set.ts';
import { readBoard, referencedByChanges } from '../transaction/referenced-by.ts';
import { type IdempotencyRecordFactory, runTransaction, type WriteDeps } from '../transaction/run-transaction.ts';
import { integerFrom } from '../validation/field.ts';
import { parseVariable, variableStandIn } from '../variable/variable.ts';

/** The kinds of items that come back under their id. A deleted alarm comes back as a new one, whose occurrences begin anew. */
const restorableKinds = ['variable', ...boardKinds.filter((kind) => kind !== 'alarm')] as const;

const positive = integerFrom(1, Number.MAX_SAFE_INTEGER);

/** A deleted item, and the entry of its deletion, as a client sends it. */
export const deletionSchema = v.object({
	kind: v.picklist(restorableKinds),
	itemId: v.pipe(v.number(), positive),
	rowVersion: v.pipe(v.number(), positive),
});

/** A deleted item, and the entry of its deletion. */
export type Deletion = v.InferOutput<typeof deletionSchema>;

/** The dependencies of restoring an item. */
export interface RestoreDeps extends WriteDeps {
	readonly changes: Pick<ChangeJournal, 'history'>;
}

/**
 * Each commit of a deletion in several commits advances the row version of the variable, beyond that of the deletion's entry. A restored
 * row begins above all of them, so that no late commit of the deletion takes it for the row that it read.
 */
const rowVersionsOfDeletion = 10_000;

/** Entries that are read: that of the deletion, and one after it, if any. */
const entriesRead = 2;

/**
 * Brings a deleted item back under its id, as it was when it was deleted. Its versions continue after that of the deletion, so an old
 * If-Match never fits. The boards that showed a restored variable are not changed. What this release cannot read comes back as a row that
 * cannot be read.
 * @returns the stored row
 * @throws DomainError `no_such_change` when the entry is not in the journal; `not_deleted` when it is no deletion, or not the last change
 * of the item; `invalid` when a board refers to a variable or bit that is missing; and the errors of `runTransaction`
 */
export async function restoreItem(
	deps: RestoreDeps,
	{ schema, database }: { readonly schema: string; readonly database: string },
	deletion: Deletion,
	createRecord?: IdempotencyRecordFactory<VariableRow | BoardRow>,
): Promise<VariableRow | BoardRow> {
	const { kind, itemId, rowVersion } = deletion;
	const item: ItemKey = { kind, itemId };
	const [found, later] = await deps.changes.history(schema, item, rowVersion, entriesRead);
	if (found === undefined || found.entry.rowVersion !== rowVersion) throw new DomainError('no_such_change', { ...deletion });
	const { entry, before } = found;
	if (entry.action !== 'deleted' || before === null || later !== undefined)
		throw new DomainError('not_deleted', { kind, id: itemId });
	return kind === 'variable'
		? restoreVariable(deps, schema, itemId, { entry, before }, createRecord)
		: restoreBoard(deps, { schema, database }, { kind, id: itemId }, { entry, before }, createRecord);
}

function restoreVariable(
	deps: RestoreDeps,
	schema: string,
	id: number,
	{ entry, before }: Change,
	createRecord?: IdempotencyRecordFactory<VariableRow | BoardRow>,
): Promise<VariableRow | BoardRow> {
	const key = variableKey(id);
	const { content: variable, ...unread } = contentOr(variableStandIn(id, entry.name), before, parseVariable);
	return runTransaction(deps, schema, createRecord, async (read) => {
		if ((await read([key])).get(key) !== null) throw new DomainError('not_deleted', { kind: key.kind, id });
		const row: VariableRow = {
			kind: 'variable',
			version: entry.version + 1,
			rowVersion: entry.rowVersion + rowVersionsOfDeletion,
			variable,
			referencedBy: new Map(),
			deleting: false,
			...unread,
		};
		return { changes: [{ key, row }], restores: true, answer: row };
	});
}

function restoreBoard(
	deps: RestoreDeps,
	{ schema, database }: { readonly schema: string; readonly database: string },
	key: BoardKey,
	{ entry, before }: Change,
	createRecord?: IdempotencyRecordFactory<VariableRow | BoardRow>,
): Promise<VariableRow | BoardRow> {
	const { content, ...unread } = contentOr(standInContent(key.kind, key.id, entry.name), before, (json) =>
		parseBoard(key.kind, json),
	);
	const board: Board = boardOf(key.kind, content);
	return runTransaction(deps, schema, createRecord, async (read) => {
		if ((await read([key])).get(key) !== null) throw new DomainError('not_deleted', key);
		const rows = await readBoard(read, { ...deps, schema }, key, board);
		checkReferences(rows, referencesOf(board));
		checkRowSize(board.content);
		// Its days are counted on the database of the tenant who restores it.
		const binding = key.kind === 'report' ? { database } : {};
		const versions = { version: entry.version + 1, rowVersion: entry.rowVersion + 1 };
		const row: BoardRow = { kind: key.kind, ...versions, board, ...binding, ...unread };
		const changes = [{ key, row }, ...referencedByChanges(rows, key, board)];
		return { changes, restores: true, answer: row };
	});
}

/** Returns what was deleted; where it cannot be read, its stand-in with the JSON. */
function contentOr<Content>(
	standIn: Content,
	before: ReplacedItem | null,
	parse: (json: unknown) => Content,
): { readonly content: Content; readonly unread?: UnreadJson } {
	try {
		return { content: parse(before?.content) };
	} catch {
		return { content: standIn, unread: { content: before?.content ?? {} } };
	}
}
