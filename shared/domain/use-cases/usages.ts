import { boardName } from '../board/board.ts';
import type { Usage } from '../errors.ts';
import { itemsOf } from '../panel/panel.ts';
import type { BoardRow, PanelRow, ReferencedBy, SchemaStore } from '../ports/schema-store.ts';
import { boardKeyOf, panelKey, variableKey } from '../transaction/read-set.ts';

/** The board as something that uses a variable. */
export function boardUsage({ kind, board }: BoardRow): Usage {
	return { kind, id: board.content.id, name: boardName(board) };
}

/** The panel as something that uses a variable. */
export function panelUsage({ panel }: PanelRow): Usage {
	return { kind: 'panel', id: 0, name: panel.title };
}

/** Whether the panel refers to a variable; with `bits`, whether it picks one of those. */
export function panelUses({ panel }: PanelRow, varId: number, bits?: ReadonlySet<number>): boolean {
	return itemsOf(panel).some(
		({ item }) => item.varId === varId && (bits === undefined || (item.bit !== undefined && bits.has(item.bit))),
	);
}

/** The keys of the boards that use a variable, by kind and ascending id. */
export function boardKeysOf(usedBy: ReferencedBy) {
	return [...usedBy.keys()].map(boardKeyOf).sort((a, b) => a.kind.localeCompare(b.kind) || a.id - b.id);
}

/** What refers to a variable now: its boards, from its own row, then the panel. */
export async function usagesOf(store: SchemaStore, schema: string, id: number): Promise<readonly Usage[]> {
	const [variable] = await store.get(schema, [variableKey(id)]);
	const keys = variable === null || variable === undefined ? [] : boardKeysOf(variable.referencedBy);
	const [[panel], boards] = await Promise.all([store.get(schema, [panelKey]), store.get(schema, keys)]);
	const usages = boards.flatMap((row) => (row === null ? [] : [boardUsage(row)]));
	return panel !== null && panel !== undefined && panelUses(panel, id) ? [...usages, panelUsage(panel)] : usages;
}
