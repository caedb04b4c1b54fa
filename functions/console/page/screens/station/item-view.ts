import type { Reading } from '#page/core/readings.ts';
import { type Shown, shownOf, stateOf } from '#page/core/shown.ts';

/** What an item of the panel shows at one moment. */
export interface ItemView {
	/** Whether it is on; null where that is not known now. A stale state is not known: the pump may have stopped since. */
	readonly on: boolean | null;
	/** The state of a stale value: what it was. */
	readonly last: boolean | null;
	/** What the variable shows; null until it was read. */
	readonly shown: Shown | null;
}

/** Returns what an item shows of its variable's reading. */
export function itemViewOf(reading: Reading | undefined, bit: number | null): ItemView {
	const shown = reading === undefined ? null : shownOf(reading);
	const state = stateOf(shown, bit);
	const isStale = shown?.quality === 'stale';
	return { on: isStale ? null : state, last: isStale ? state : null, shown };
}
