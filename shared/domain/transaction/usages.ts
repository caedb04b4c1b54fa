import { boardName, referencesOf } from '../board/board.ts';
import { boardKinds } from '../board/board-kinds.ts';
import type { Usage } from '../errors.ts';
import { itemsOf } from '../panel/panel.ts';
import type { BoardKey, BoardRow, PanelRow, ReferencedBy, SchemaReader, VariableRow } from '../ports/schema-store.ts';
import { panelKey, parseBoardKey, variableKey } from './read-set.ts';

/** Returns the usages of a variable: the boards that its own row lists, then the panel. */
export async function usagesOf(store: SchemaReader, schema: string, id: number): Promise<readonly Usage[]> {
	const [variable] = await store.get(schema, [variableKey(id)]);
	const keys = variable == null ? [] : await boardsUsing(store, schema, variable);
	const [[panel], boards] = await Promise.all([store.get(schema, [panelKey]), store.get(schema, keys)]);
	const usages = boards.flatMap((row) => row ?? []).map(boardUsage);
	return panel !== null && panel !== undefined && panelUses(panel, id) ? [...usages, panelUsage(panel)] : usages;
}

/** A board as a usage of a variable. */
export function boardUsage({ kind, board }: BoardRow): Usage {
	return { kind, id: board.content.id, name: boardName(board) };
}

/** The panel as a usage of a variable. A schema has one panel, which has no id, so 0 is named. */
export function panelUsage({ panel }: PanelRow): Usage {
	return { kind: 'panel', id: 0, name: panel.title };
}

/** Whether the panel refers to a variable. With `bits`: whether it refers to one of those bits of the variable. */
export function panelUses({ panel }: PanelRow, varId: number, bits?: ReadonlySet<number>): boolean {
	return itemsOf(panel).some(
		({ item }) => item.varId === varId && (bits === undefined || (item.bit !== undefined && bits.has(item.bit))),
	);
}

/**
 * Returns the keys of the boards that refer to a variable, in the order of `boardKeysOf`. Where its row cannot be read, `referencedBy` may be
 * lost, so all boards are read.
 */
export async function boardsUsing(
	store: Pick<SchemaReader, 'list'>,
	schema: string,
	{ variable: { id }, referencedBy, unread }: VariableRow,
): Promise<readonly BoardKey[]> {
	if (unread === undefined) return boardKeysOf(referencedBy);
	const lists = await Promise.all(boardKinds.map((kind): Promise<readonly BoardRow[]> => store.list(schema, kind)));
	return lists
		.flat()
		.flatMap(({ kind, board }) =>
			referencesOf(board).some(({ varId }) => varId === id) ? [{ kind, id: board.content.id }] : [],
		);
}

/**
 * The keys of the boards that refer to a variable, by kind and then by ascending id. Boards of kinds that only a newer release knows are left
 * out.
 */
export function boardKeysOf(referencedBy: ReferencedBy): BoardKey[] {
	return [...referencedBy.keys()]
		.flatMap((text) => parseBoardKey(text) ?? [])
		.sort((a, b) => a.kind.localeCompare(b.kind) || a.id - b.id);
}
