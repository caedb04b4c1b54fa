import type { Reading } from '#page/core/readings.ts';
import { currentStateOf, type Shown, shownOf, stateOf } from '#page/core/shown.ts';

/** What an item of the panel shows at one moment. */
export interface ItemView {
	/** Whether it is on; null where that is not known now. */
	readonly on: boolean | null;
	/** Whether it was on at the newest sample, which may be stale; null where that is not known. */
	readonly last: boolean | null;
	/** What the variable shows; null until it was read. */
	readonly shown: Shown | null;
}

/** Returns what an item shows of its variable's reading. */
export function itemViewOf(reading: Reading | undefined, bit: number | null): ItemView {
	const shown = reading === undefined ? null : shownOf(reading);
	return { on: currentStateOf(shown, bit), last: stateOf(shown, bit), shown };
}
