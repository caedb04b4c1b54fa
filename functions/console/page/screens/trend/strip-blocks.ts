import type { Column, Gap } from './gaps.ts';

/** Windows [from, to) of the same state. `mixed`: on for a part of each window. */
export interface StripBlock {
	readonly state: 'on' | 'mixed' | Gap['kind'];
	readonly from: number;
	readonly to: number;
}

/**
 * Joins the windows of a strip to blocks; what is off has none. Empty windows that are no gap go on with the state before them, because
 * a state is sampled less often than the windows change. Before the first value the state is not known.
 */
export function stripBlocks(values: Column, gaps: readonly Gap[]): readonly StripBlock[] {
	const blocks: StripBlock[] = [];
	const isMissing = new Set(gaps.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index)));
	let known: StripBlock['state'] | null = 'no_data';
	for (const [index, value] of values.entries()) {
		if (value !== null) known = value === 1 ? 'on' : value === 0 ? null : 'mixed';
		if (isMissing.has(index)) known = 'no_data';
		if (known === null || isMissing.has(index)) continue;
		const before = blocks.at(-1);
		if (before?.state === known && before.to === index) blocks.splice(-1, 1, { ...before, to: index + 1 });
		else blocks.push({ state: known, from: index, to: index + 1 });
	}
	return [...blocks, ...gaps.map(({ kind, from, to }) => ({ state: kind, from, to }))];
}
