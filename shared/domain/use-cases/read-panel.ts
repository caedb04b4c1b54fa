import { itemsOf, type Panel, type PanelItem } from '../panel/panel.ts';
import { readNewest } from '../reading/newest.ts';
import type { Quality } from '../reading/quality.ts';
import type { ReadContext, ReadingDeps } from './read-variables.ts';

/** What a panel item shows: 1 running, on or open; 0 stopped, off or closed; null when it is not known. */
export interface ItemState {
	readonly value: 0 | 1 | null;
	readonly quality: Quality;
}

/** What every item of a panel shows at one moment. A number counts as on when it is not zero (design section 4). */
export async function readPanel(
	deps: ReadingDeps,
	schema: string,
	moment: ReadContext,
	panel: Panel,
): Promise<ReadonlyMap<PanelItem, ItemState>> {
	const items = itemsOf(panel).map(({ item }) => item);
	const states = await readNewest(deps, schema, moment, items);
	return new Map(
		items.map((item, index): [PanelItem, ItemState] => {
			const { value, quality } = states[index] ?? { value: null, quality: 'missing_reference' };
			return [item, { value: value === null ? null : value === 0 ? 0 : 1, quality }];
		}),
	);
}
