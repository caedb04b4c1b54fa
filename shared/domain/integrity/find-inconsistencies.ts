import { referencesOf } from '../board/board.ts';
import { type BoardKind, boardKinds, perBoardKind } from '../board/board-kinds.ts';
import { bitsByVariable } from '../board/reference.ts';
import { itemsOf } from '../panel/panel.ts';
import {
	type BoardRow,
	idOfRow,
	type ReferencedBy,
	type Row,
	type RowKey,
	type SchemaMetadata,
	type VariableRow,
} from '../ports/schema-store.ts';
import { isNewerBoardKey, keyText, panelKey } from '../transaction/read-set.ts';
import type { StoredSchema } from './stored-schema.ts';

/** The bit positions that a board uses of a variable, ascending; an empty list for the whole variable; null without a reference. */
export type ReferencedBits = readonly number[] | null;

/** The counters of a schema. `boards` holds the kinds whose stored count differs from the number of boards. */
interface Counters extends Pick<SchemaMetadata, 'variables' | 'lastId'> {
	readonly boards: Readonly<Partial<Record<BoardKind, number>>>;
}

/** Something stored that breaks the rules of integrity (shared/domain/integrity/README.md). `board` is the text of a board's key. */
export type Inconsistency =
	/** The metadata do not match the rows. `actual.lastId` is never below the stored one. */
	| { readonly kind: 'wrong_counters'; readonly stored: Counters; readonly actual: Counters }
	/** A row cannot be read. `version`: that of its stand-in. */
	| { readonly kind: 'unread_row'; readonly key: RowKey; readonly version: number }
	/** `referencedBy` of a variable has other bits for a board than the board itself. */
	| {
			readonly kind: 'wrong_reference';
			readonly varId: number;
			readonly board: string;
			readonly stored: ReferencedBits;
			readonly actual: ReferencedBits;
	  }
	/** A deletion that takes several commits was begun and not finished. */
	| { readonly kind: 'unfinished_deletion'; readonly varId: number }
	/** A board refers to a variable that does not exist. */
	| { readonly kind: 'missing_variable'; readonly varId: number; readonly board: string }
	/** A board or an item of the panel (`place`) uses a bit that its variable does not define. */
	| { readonly kind: 'undefined_bit'; readonly varId: number; readonly place: string; readonly bit: number };

/**
 * Finds all inconsistencies of a schema, in the order in which they can be repaired: the counters before rows change them, and
 * references before the deletions that rely on them. References to a variable with an unfinished deletion go with that deletion, and those of
 * a row that cannot be read are not known.
 */
export function findInconsistencies({ variables, boards, panel, metadata }: StoredSchema): readonly Inconsistency[] {
	const rows = new Map(variables.map((row) => [row.variable.id, row]));
	const readable = variables.filter(({ unread }) => unread === undefined);
	const references = referencesByVariable(boards);
	const wrongCounters = wrongCountersOf({ variables, boards, metadata });
	return [
		...(wrongCounters === null ? [] : [{ kind: 'wrong_counters', ...wrongCounters } as const]),
		...[...variables.filter(({ deleting }) => !deleting), ...boards, ...(panel === null ? [] : [panel])].flatMap(unreadRow),
		...wrongReferences(readable, references, new Set(boards.flatMap(unreadRow).map(({ key }) => keyText(key)))),
		...variables.flatMap(({ variable, deleting }): Inconsistency[] =>
			deleting ? [{ kind: 'unfinished_deletion', varId: variable.id }] : [],
		),
		...[...references].flatMap(([varId, users]) =>
			[...users].flatMap(([board, bits]): readonly Inconsistency[] =>
				rows.has(varId) ? undefinedBits(rows.get(varId), board, bits) : [{ kind: 'missing_variable', varId, board }],
			),
		),
		// An item of the panel whose variable was deleted stays (shared/domain/panel/README.md#rules).
		...(panel === null ? [] : itemsOf(panel.panel)).flatMap(({ path, item: { varId, bit } }) =>
			undefinedBits(rows.get(varId), `panel ${path}`, bit === undefined ? [] : [bit]),
		),
	];
}

/** Returns the number of boards of each kind. */
export function countsOfBoards(boards: readonly BoardRow[]): Readonly<Record<BoardKind, number>> {
	return perBoardKind((each) => boards.filter(({ kind }) => kind === each).length);
}

/** Returns the `referencedBy` that each variable should have, from the boards. */
export function referencesByVariable(boards: readonly BoardRow[]): ReadonlyMap<number, ReferencedBy> {
	const byVariable = new Map<number, Map<string, readonly number[]>>();
	for (const { kind, board } of boards)
		for (const [varId, bits] of bitsByVariable(referencesOf(board))) {
			const users = byVariable.get(varId) ?? new Map<string, readonly number[]>();
			byVariable.set(varId, users.set(keyText({ kind, id: board.content.id }), bits));
		}
	return byVariable;
}

/** Returns the stored and the actual counters where they differ, else null. A count that is not stored yet is not wrong. */
export function wrongCountersOf({
	variables,
	boards,
	metadata,
}: Pick<StoredSchema, 'variables' | 'boards' | 'metadata'>): { readonly stored: Counters; readonly actual: Counters } | null {
	const ids = [...variables.map(({ variable }) => variable.id), ...boards.map(({ board }) => board.content.id)];
	const lastId = ids.reduce((highest, id) => Math.max(highest, id), metadata.lastId);
	const counts = countsOfBoards(boards);
	const wrongKinds = boardKinds.filter((kind) => metadata.boards[kind] !== null && metadata.boards[kind] !== counts[kind]);
	if (metadata.variables === variables.length && metadata.lastId === lastId && wrongKinds.length === 0) return null;
	const boardsOf = (values: SchemaMetadata['boards']) => Object.fromEntries(wrongKinds.map((kind) => [kind, values[kind] ?? 0]));
	return {
		stored: { variables: metadata.variables, lastId: metadata.lastId, boards: boardsOf(metadata.boards) },
		actual: { variables: variables.length, lastId, boards: boardsOf(counts) },
	};
}

/** Returns the key of a row. */
export function keyOfRow(row: Row): RowKey {
	return row.kind === 'panel' ? panelKey : { kind: row.kind, id: idOfRow(row) };
}

const unreadRow = (row: Row) =>
	row.unread === undefined ? [] : [{ kind: 'unread_row', key: keyOfRow(row), version: row.version } as const];

/**
 * Returns the variables whose `referencedBy` differs from what the boards refer to, board by board. `unread`: boards that cannot be read. Those of
 * kinds that only a newer release knows are not there to compare with.
 */
const wrongReferences = (
	variables: readonly VariableRow[],
	references: ReadonlyMap<number, ReferencedBy>,
	unread: ReadonlySet<string>,
): readonly Inconsistency[] =>
	variables.flatMap(({ variable: { id: varId }, referencedBy }) => {
		const users = references.get(varId);
		return [...new Set([...referencedBy.keys(), ...(users?.keys() ?? [])])].flatMap((board): Inconsistency[] => {
			if (unread.has(board) || isNewerBoardKey(board)) return [];
			const [stored, actual] = [referencedBy.get(board) ?? null, users?.get(board) ?? null];
			return stored?.join() === actual?.join() ? [] : [{ kind: 'wrong_reference', varId, board, stored, actual }];
		});
	});

/** Returns the bits that a place uses and the variable does not define. None without a variable: that is another inconsistency. */
function undefinedBits(row: VariableRow | undefined, place: string, bits: readonly number[]): readonly Inconsistency[] {
	if (row === undefined || row.deleting || row.unread !== undefined) return [];
	const { variable } = row;
	const defined = variable.binary_compressed ? variable.bits.map(({ bit }) => bit) : [];
	return bits.filter((bit) => !defined.includes(bit)).map((bit) => ({ kind: 'undefined_bit', varId: variable.id, place, bit }));
}
