import { type Column, equalRuns, type Gap } from '#page/core/past/windows.ts';

/** `mixed`: on for a part of each window. */
type BlockState = 'on' | 'mixed' | Gap['kind'];

/** Windows [from, to) of the same state. */
export interface StripBlock {
	readonly state: BlockState;
	readonly from: number;
	readonly to: number;
}

/**
 * Joins the windows of a strip to blocks. Windows that are off have no block. Empty windows that are no gap keep the state before them,
 * because states are often sampled less often than once per window. Before the first value the state is not known.
 */
export function stripBlocks(values: Column, gaps: readonly Gap[]): readonly StripBlock[] {
	const inGap = new Set(gaps.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index)));
	/** The state of the last window that had one. */
	let lastState: BlockState | null = 'no_data';
	const states = values.map((value, index): BlockState | null => {
		if (value !== null) lastState = stateOf(value);
		if (!inGap.has(index)) return lastState;
		// The state before a gap does not go on after it. The gap itself gets a block below.
		lastState = 'no_data';
		return null;
	});
	const blocks = equalRuns(states).flatMap(({ of: state, from, to }) => (state === null ? [] : [{ state, from, to }]));
	return [...blocks, ...gaps.map(({ kind, from, to }) => ({ state: kind, from, to }))];
}

/** Returns the state of a window that was on for a share of its time; null for one that was off. */
function stateOf(share: number): BlockState | null {
	if (share === 0) return null;
	return share === 1 ? 'on' : 'mixed';
}
