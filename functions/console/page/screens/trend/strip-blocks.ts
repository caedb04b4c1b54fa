import { type Column, type Gap, runsOf } from '#page/core/past/windows.ts';

/** Windows [from, to) of the same state. `mixed`: on for a part of each window. */
export interface StripBlock {
	readonly state: 'on' | 'mixed' | Gap['kind'];
	readonly from: number;
	readonly to: number;
}

/**
 * Joins the windows of a strip to blocks. Windows that are off have no block. Empty windows that are no gap keep the state before them,
 * because states are often sampled less often than once per window. Before the first value the state is not known.
 */
export function stripBlocks(values: Column, gaps: readonly Gap[]): readonly StripBlock[] {
	const states = values.map((): StripBlock['state'] | null => null);
	const isMissing = new Set(gaps.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index)));
	let known: StripBlock['state'] | null = 'no_data';
	for (const [index, value] of values.entries()) {
		if (value !== null) known = value === 1 ? 'on' : value === 0 ? null : 'mixed';
		if (isMissing.has(index)) known = 'no_data';
		else states[index] = known;
	}
	const blocks = runsOf(states).flatMap(({ of: state, from, to }) => (state === null ? [] : [{ state, from, to }]));
	return [...blocks, ...gaps.map(({ kind, from, to }) => ({ state: kind, from, to }))];
}
