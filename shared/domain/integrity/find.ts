import { referencesOf } from '../board/board.ts';
import { bitsByVariable } from '../board/reference.ts';
import { itemsOf } from '../panel/panel.ts';
import type { BoardKey, BoardRow, VariableRow } from '../ports/schema-store.ts';
import { keyText } from '../transaction/read-set.ts';
import type { Variable } from '../variable/variable.ts';
import type { Stored } from './read-stored.ts';

/** The bits that a board picks of a variable, ascending; null where it does not use it. */
export type Bits = readonly number[] | null;

/** Something stored that breaks the rules of integrity (design section 6). */
export type Inconsistency =
	/** Ids up to `highest` are in use, and the counter would give them again. */
	| { readonly kind: 'counter_behind'; readonly lastId: number; readonly highest: number }
	/** A variable's row says that a board (by its key's text) picks the bits `stored` of it; the board itself says `actual`. */
	| { readonly kind: 'wrong_user'; readonly varId: number; readonly board: string; readonly stored: Bits; readonly actual: Bits }
	/** A deletion in several commits that was begun and not finished. */
	| { readonly kind: 'left_going'; readonly varId: number }
	/** A board refers to a variable that is not there. */
	| { readonly kind: 'missing_variable'; readonly board: BoardKey; readonly varId: number }
	/** A board picks a bit that its variable does not define. */
	| { readonly kind: 'undefined_bit'; readonly board: BoardKey; readonly varId: number; readonly bit: number }
	/** An item of the panel does; `path` as an offence about it says. */
	| { readonly kind: 'undefined_panel_bit'; readonly path: string; readonly varId: number; readonly bit: number }
	/** The head counts another number of variables than there are. */
	| { readonly kind: 'wrong_count'; readonly stored: number; readonly actual: number };

export type InconsistencyOf<Kind extends Inconsistency['kind']> = Extract<Inconsistency, { readonly kind: Kind }>;

/** The key of a board's row. */
export function boardKey({ kind, board }: BoardRow): BoardKey {
	return { kind, id: board.content.id };
}

/** Whether the variable has a bit at that position. */
export function definesBit(variable: Variable, bit: number): boolean {
	return variable.binary_compressed && variable.bits.some((each) => each.bit === bit);
}

/** The bits that a board picks of a variable. */
export function bitsPicked(row: BoardRow, varId: number): Bits {
	return bitsByVariable(referencesOf(row.board)).get(varId) ?? null;
}

export function sameBits(a: Bits, b: Bits): boolean {
	return a?.join() === b?.join();
}

/**
 * Everything wrong with what is stored, in the order in which it can be mended: the counter before anything is given a used id;
 * the count before a deletion lowers it; who uses a variable before its deletion is finished, which believes it.
 * Where the rows did not stand beside each other, a finding may be of two moments: `decideMend` judges it anew.
 */
export function findIn(stored: Stored): readonly Inconsistency[] {
	const { variables, boards, head } = stored;
	const rows = new Map(variables.map((row) => [row.variable.id, row]));
	const highest = highestId(stored);
	const counter: readonly Inconsistency[] =
		head.lastId < highest ? [{ kind: 'counter_behind', lastId: head.lastId, highest }] : [];
	const going = variables.flatMap((row): Inconsistency[] =>
		row.deleting ? [{ kind: 'left_going', varId: row.variable.id }] : [],
	);
	const count: readonly Inconsistency[] =
		head.variables === variables.length ? [] : [{ kind: 'wrong_count', stored: head.variables, actual: variables.length }];
	return [
		...counter,
		...count,
		...wrongUsers(stored),
		...going,
		...boards.flatMap((row) => wrongReferences(rows, row)),
		...wrongPanelBits(rows, stored),
	];
}

function highestId({ variables, boards }: Stored): number {
	const ids = [...variables.map(({ variable }) => variable.id), ...boards.map(({ board }) => board.content.id)];
	return ids.reduce((highest, id) => Math.max(highest, id), 0);
}

function wrongUsers({ variables, boards }: Stored): readonly Inconsistency[] {
	const users = usersByVariable(boards);
	return variables.flatMap(({ variable: { id: varId }, referencedBy: usedBy }): Inconsistency[] => {
		const actual = users.get(varId) ?? new Map<string, readonly number[]>();
		const texts = [...new Set([...usedBy.keys(), ...actual.keys()])];
		return texts.flatMap((board): Inconsistency[] => {
			const [known, picked] = [usedBy.get(board) ?? null, actual.get(board) ?? null];
			return sameBits(known, picked) ? [] : [{ kind: 'wrong_user', varId, board, stored: known, actual: picked }];
		});
	});
}

function wrongReferences(rows: ReadonlyMap<number, VariableRow>, row: BoardRow): readonly Inconsistency[] {
	const board = boardKey(row);
	return [...bitsByVariable(referencesOf(row.board))].flatMap(([varId, bits]): Inconsistency[] => {
		const target = rows.get(varId);
		if (target === undefined) return [{ kind: 'missing_variable', board, varId }];
		// What refers to a variable that is going goes with it.
		if (target.deleting) return [];
		return bits.flatMap((bit): Inconsistency[] =>
			definesBit(target.variable, bit) ? [] : [{ kind: 'undefined_bit', board, varId, bit }],
		);
	});
}

/** An item whose variable was deleted is none of these: it stays (design section 4). */
const wrongPanelBits = (rows: ReadonlyMap<number, VariableRow>, { panel }: Stored): readonly Inconsistency[] =>
	(panel === null ? [] : itemsOf(panel.panel)).flatMap(({ path, item: { varId, bit } }): Inconsistency[] => {
		const target = rows.get(varId);
		if (target === undefined || target.deleting || bit === undefined || definesBit(target.variable, bit)) return [];
		return [{ kind: 'undefined_panel_bit', path, varId, bit }];
	});

/** By variable: who uses it, as the boards themselves say. */
function usersByVariable(boards: readonly BoardRow[]): ReadonlyMap<number, ReadonlyMap<string, readonly number[]>> {
	const users = new Map<number, Map<string, readonly number[]>>();
	for (const row of boards)
		for (const [varId, bits] of bitsByVariable(referencesOf(row.board))) {
			const known = users.get(varId) ?? new Map<string, readonly number[]>();
			users.set(varId, known.set(keyText(boardKey(row)), bits));
		}
	return users;
}
