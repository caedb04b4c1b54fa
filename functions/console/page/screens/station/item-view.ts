import type { Reading } from '#page/core/readings.ts';
import { currentStateOf, type Shown, shownOf, stateOf } from '#page/core/shown.ts';

/** The state that an item of the panel shows at one moment. */
export interface ItemView {
	/** Whether the item is on; null when that is not known now. */
	readonly on: boolean | null;
	/** Whether the item was on at the newest sample, which may be stale; null when that is not known. */
	readonly last: boolean | null;
	/** The newest value of the variable; null until it was read. */
	readonly shown: Shown | null;
}

/** Returns the state that an item shows for the reading of its variable. */
export function itemViewOf(reading: Reading | undefined, bit: number | null): ItemView {
	const shown = reading === undefined ? null : shownOf(reading);
	return { on: currentStateOf(shown, bit), last: stateOf(shown, bit), shown };
}
