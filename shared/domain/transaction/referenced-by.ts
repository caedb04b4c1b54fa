import { type Board, boardOf, referencesOf, withoutVariable } from '../board/board.ts';
import { bitsByVariable } from '../board/reference.ts';
import { DomainError } from '../errors.ts';
import {
	type BoardKey,
	type BoardRow,
	idOfRow,
	type ReferencedBy,
	type SchemaReader,
	type VariableRow,
} from '../ports/schema-store.ts';
import { toJson } from '../variable/variable.ts';
import { checkRowSize } from './checks.ts';
import { keyText, type ReadSet, variableKey } from './read-set.ts';
import type { ReadRows, RowUpdate } from './run-transaction.ts';

/** Most boards that refer to one variable (shared/http/README.md#limits). A board that refers to it already can still be saved beyond. */
export const maxReferencingBoards = 1000;

/** The rows of a schema. */
interface SchemaRows {
	readonly store: Pick<SchemaReader, 'list'>;
	readonly schema: string;
}

/**
 * Reads the rows that changing a board relies on: the board (id 0: there is none), and the variables of its stored and of its next version.
 * Where the stored board cannot be read, they are found among all variables.
 * @param next left out when the board is deleted
 */
export async function readBoard(
	read: ReadRows,
	{ store, schema }: SchemaRows,
	key: BoardKey,
	next: Board | null = null,
): Promise<ReadSet> {
	const stored = key.id === 0 ? null : (await read([key])).get(key);
	const isNamedIn = ({ referencedBy }: VariableRow): boolean => referencedBy.has(keyText(key));
	const named = stored?.unread === undefined ? [] : (await store.list(schema, 'variable')).filter(isNamedIn).map(idOfRow);
	const referenced = [stored?.board ?? null, next].flatMap((board) => (board === null ? [] : referencesOf(board)));
	return read([...named, ...referenced.map(({ varId }) => varId)].map(variableKey));
}

/** Returns the row with another `referencedBy`. Its version stays: clients do not see this change. */
export function withReferencedBy(row: VariableRow, referencedBy: ReferencedBy): VariableRow {
	return { ...row, referencedBy, rowVersion: row.rowVersion + 1 };
}

/**
 * Returns a variable's row with the bits that a board refers to (undefined: the board does not refer to the variable), or null
 * when the row has them already.
 * @param boardText the key of the board as text
 * @throws DomainError `too_large` when the row would grow too large
 */
export function withReference(row: VariableRow, boardText: string, bits: readonly number[] | undefined): VariableRow | null {
	if (sameBits(row.referencedBy.get(boardText), bits)) return null;
	const referencedBy = new Map(row.referencedBy);
	if (bits === undefined) referencedBy.delete(boardText);
	else {
		referencedBy.set(boardText, bits);
		checkRowSize([toJson(row.variable), [...referencedBy]]);
	}
	return withReferencedBy(row, referencedBy);
}

/**
 * Returns the changes of the variables whose `referencedBy` differs from what the next version of a board refers to (null: the board is
 * deleted). The rows of the board must have been read (`readBoard`); a deleted variable needs no change
 * (shared/domain/transaction/README.md#references).
 * @throws DomainError `too_large` when the row of a variable would grow too large, or have more than `maxReferencingBoards`
 */
export function referencedByChanges(rows: ReadSet, board: BoardKey, next: Board | null): readonly RowUpdate[] {
	const boardText = keyText(board);
	const bits = bitsByVariable(next === null ? [] : referencesOf(next));
	return rows.all().flatMap(({ row }): RowUpdate[] => {
		if (row?.kind !== 'variable') return [];
		const { id } = row.variable;
		if (bits.has(id)) checkRoom(row, boardText);
		const changed = withReference(row, boardText, bits.get(id));
		return changed === null ? [] : [{ key: variableKey(id), row: changed }];
	});
}

/** Returns the unit of the variable of an alarm; null for another board, and where the variable was not found. Its row must have been read. */
export function unitOf(rows: ReadSet, { board, unread }: BoardRow): string | null {
	return board.kind === 'alarm' && unread === undefined
		? (rows.get(variableKey(board.content.varId))?.variable.unit ?? null)
		: null;
}

/** Returns the row of a board without its references to a deleted variable, or null when the board is deleted too. */
export function boardRowWithout(row: BoardRow, varId: number): BoardRow | null {
	const content = withoutVariable(row.board, varId);
	if (content === null) return null;
	return { ...row, board: boardOf(row.kind, content), version: row.version + 1, rowVersion: row.rowVersion + 1 };
}

/** Throws `too_large` when a board would be one too many to refer to a variable. */
function checkRoom({ variable: { id }, referencedBy }: VariableRow, boardText: string): void {
	if (referencedBy.has(boardText) || referencedBy.size < maxReferencingBoards) return;
	const counted = 'boards_of_variable';
	const remedy = 'Remove the variable from a board that does not need it, then save again.';
	const actual = referencedBy.size + 1;
	throw new DomainError('too_large', { field: 'request', counted, variable: id, actual, limit: maxReferencingBoards, remedy });
}

const sameBits = (a: readonly number[] | undefined, b: readonly number[] | undefined): boolean =>
	a === b || (a !== undefined && b !== undefined && a.length === b.length && a.every((bit, index) => bit === b[index]));
