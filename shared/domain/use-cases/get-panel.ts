import { DomainError } from '../errors.ts';
import { itemsOf, type PanelItem } from '../panel/panel.ts';
import type { PanelRow, SchemaReader } from '../ports/schema-store.ts';
import { readNewest } from '../reading/newest.ts';
import type { Quality } from '../reading/quality.ts';
import type { ReadContext, ReadingDeps } from '../reading/read-now.ts';
import { panelKey } from '../transaction/read-set.ts';

/** The current state of a panel item: 1 running, on or open; 0 stopped, off or closed; null unknown. */
export interface ItemState {
	readonly value: 0 | 1 | null;
	readonly quality: Quality;
}

/**
 * Returns the panel of a schema and the current state of its items. Any number except zero counts as on
 * (shared/domain/panel/README.md#rules).
 * @throws DomainError `not_found` when no panel has been saved
 */
export async function getPanel(
	deps: ReadingDeps & { readonly store: SchemaReader },
	schema: string,
	context: ReadContext,
): Promise<{ readonly row: PanelRow; readonly states: ReadonlyMap<PanelItem, ItemState> }> {
	const [row] = await deps.store.get(schema, [panelKey]);
	if (row === null || row === undefined) throw new DomainError('not_found', { kind: 'panel', id: null });
	const items = itemsOf(row.panel).map(({ item }) => item);
	const newest = await readNewest(deps, schema, context, items);
	const states = newest.map(([item, { value, quality }]): [PanelItem, ItemState] => [item, { value: onOrOff(value), quality }]);
	return { row, states: new Map(states) };
}

function onOrOff(value: number | null): ItemState['value'] {
	if (value === null) return null;
	return value === 0 ? 0 : 1;
}
