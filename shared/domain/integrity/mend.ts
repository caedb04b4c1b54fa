import { type Board, boardOf, referencesOf, withoutVariable } from '../board/board.ts';
import { itemsOf } from '../panel/panel.ts';
import type { BoardKey, BoardRow, VariableRow } from '../ports/schema-store.ts';
import { keyText, panelKey, type ReadSet, variableKey } from '../transaction/read-set.ts';
import { withReferencedBy } from '../transaction/referenced-by.ts';
import { checkRowSize } from '../transaction/row-size.ts';
import type { Change, Decision, ReadRows } from '../transaction/run-transaction.ts';
import { toJson } from '../variable/variable.ts';
import { type Bits, bitsPicked, boardKey, definesBit, type Inconsistency, type InconsistencyOf, sameBits } from './find.ts';

/** How a finding is mended. */
export type Repair =
	| { readonly how: 'counter_raised' | 'user_corrected' | 'deletion_finished' | 'board_deleted' | 'count_corrected' }
	| { readonly how: 'items_dropped'; readonly items: number }
	/** It is there, and stays for a person to mend. */
	| { readonly how: 'not_mended' };

/** Findings of rows that one commit mends: neither of the head, nor of a deletion in several commits. */
export type RowFinding = Exclude<Inconsistency, { readonly kind: 'counter_behind' | 'wrong_count' | 'left_going' }>;

/** A decision on a finding that is not there any more. */
const gone = { changes: [], answer: null } as const;

/**
 * Decides anew on what was found, from the rows as they are now: what has to change for it to be right, and how that is called;
 * null where it is not there any more. Boards lose what is wrong as deleting its variable would have taken it (design section 6).
 * Throws `too_large` where a row would grow beyond what the store takes.
 */
export function decideMend(read: ReadRows, finding: RowFinding): Promise<Decision<Repair | null>> {
	switch (finding.kind) {
		case 'wrong_user':
			return mendUser(read, finding);
		case 'missing_variable':
			return mendMissing(read, finding);
		case 'undefined_bit':
			return mendBit(read, finding);
		case 'undefined_panel_bit':
			return judgePanelBit(read, finding);
	}
}

async function mendUser(read: ReadRows, { varId, board }: InconsistencyOf<'wrong_user'>): Promise<Decision<Repair | null>> {
	const [key, users] = [variableKey(varId), keyNamed(board)];
	const rows = await read(users === null ? [key] : [key, users]);
	const row = rows.get(key);
	if (row === null) return gone;
	const user = users === null ? null : rows.get(users);
	const actual = user === null ? null : bitsPicked(user, varId);
	if (sameBits(row.referencedBy.get(board) ?? null, actual)) return gone;
	return { changes: [{ key, row: withUser(row, board, actual) }], answer: { how: 'user_corrected' } };
}

async function mendMissing(
	read: ReadRows,
	{ board: key, varId }: InconsistencyOf<'missing_variable'>,
): Promise<Decision<Repair | null>> {
	const rows = await read([key, variableKey(varId)]);
	const row = rows.get(key);
	if (row === null || rows.get(variableKey(varId)) !== null || bitsPicked(row, varId) === null) return gone;
	const left = contentWithout(row.board, varId);
	return { changes: [boardChange(row, left)], answer: mendOfBoard(row, left) };
}

async function mendBit(
	read: ReadRows,
	{ board: key, varId, bit }: InconsistencyOf<'undefined_bit'>,
): Promise<Decision<Repair | null>> {
	const rows = await read([key, variableKey(varId)]);
	const [row, target] = [rows.get(key), rowLacking(rows, varId, bit)];
	if (row === null || target === null || bitsPicked(row, varId)?.includes(bit) !== true) return gone;
	const left = withoutBit(row.board, varId, bit);
	const change = boardChange(row, left);
	const text = keyText(key);
	const bits = left === null ? null : bitsPicked({ ...row, board: left }, varId);
	const known = sameBits(target.referencedBy.get(text) ?? null, bits);
	const users: readonly Change[] = known ? [] : [{ key: variableKey(varId), row: withUser(target, text, bits) }];
	return { changes: [change, ...users], answer: mendOfBoard(row, left) };
}

/** Decides on no mend; the panel is named as changed so that its row and the variable's are judged at one moment. */
async function judgePanelBit(
	read: ReadRows,
	{ path, varId, bit }: InconsistencyOf<'undefined_panel_bit'>,
): Promise<Decision<Repair | null>> {
	const rows = await read([panelKey, variableKey(varId)]);
	const row = rows.get(panelKey);
	const item = row === null ? undefined : itemsOf(row.panel).find((each) => each.path === path)?.item;
	if (item?.varId !== varId || item.bit !== bit || rowLacking(rows, varId, bit) === null) return gone;
	return { changes: [{ key: panelKey, row }], answer: { how: 'not_mended' } };
}

/** The key that a board's key text names; null for text that is no board's key, as damage may leave it. */
function keyNamed(text: string): BoardKey | null {
	const [, name, digits] = /^(chart|diagram|alarm)#([1-9]\d*)$/.exec(text) ?? [];
	const id = Number(digits);
	if (!Number.isSafeInteger(id)) return null;
	return name === 'chart' || name === 'diagram' || name === 'alarm' ? { kind: name, id } : null;
}

/** The variable's row, where a board picks `bits` of it. Throws `too_large` where the row would grow beyond what the store takes. */
function withUser(row: VariableRow, text: string, bits: Bits): VariableRow {
	const usedBy = new Map(row.referencedBy);
	if (bits === null) usedBy.delete(text);
	else usedBy.set(text, bits);
	if (bits !== null) checkRowSize([toJson(row.variable), [...usedBy]]);
	return withReferencedBy(row, usedBy);
}

/** What deleting the variable leaves of a board; null: nothing. */
function contentWithout<Kind extends Board['kind']>(board: Board<Kind>, varId: number): Board<Kind> | null {
	const content = withoutVariable(board, varId);
	return content === null ? null : { ...board, content };
}

/** The change of a board to what is left of it; null: nothing, and it goes. */
const boardChange = (row: BoardRow, left: Board | null): Change => ({
	key: boardKey(row),
	row: left === null ? null : { ...row, board: left, version: row.version + 1, rowVersion: row.rowVersion + 1 },
});

const mendOfBoard = (row: BoardRow, left: Board | null): Repair =>
	left === null
		? { how: 'board_deleted' }
		: { how: 'items_dropped', items: referencesOf(row.board).length - referencesOf(left).length };

/** The variable's row where the bit that is picked is wrong: it is there, not going, and does not define it. */
function rowLacking(rows: ReadSet, varId: number, bit: number): VariableRow | null {
	const row = rows.get(variableKey(varId));
	return row === null || row.deleting || definesBit(row.variable, bit) ? null : row;
}

/** What is left of a board without the items that pick a bit; null: nothing. */
function withoutBit(board: Board, varId: number, bit: number): Board | null {
	switch (board.kind) {
		case 'diagram': {
			const items = board.content.items.filter((item) => item.varId !== varId || item.bit !== bit);
			return boardOf('diagram', { ...board.content, items });
		}
		case 'alarm':
			return null;
		case 'chart':
			return board;
	}
}
