import type { SeriesKey } from '../ports/time-series.ts';
import { maxReadVariables } from '../validation/input-limits.ts';
import { windowCount } from '../variable/window.ts';
import { maxSeriesPerStream, streamCostOf, streamGroupOf } from './stream-group.ts';

/** The limits of what one request reads (shared/http/README.md#limits). */
export const readLimits = { variables: maxReadVariables, windows: 100_000, series: 10_000, streams: 300 } as const;

/** The things of which a request may read only a limited number. */
export type BudgetItem = keyof typeof readLimits;

/** The limit because of which a variable does not fit into the rest of a budget. */
export interface Shortage {
	readonly item: BudgetItem;
	readonly needed: number;
	readonly left: number;
}

/** The rest of what a request may read. */
export interface Budget {
	/**
	 * Subtracts the needs of one more variable from the budget. Subtracts nothing when they do not fit.
	 * @param keys the distinct series that no earlier variable reads
	 * @param points the number of points that the variable answers with
	 * @returns the first shortage, or null when the variable fits
	 */
	take(keys: readonly SeriesKey[], points: number): Shortage | null;
}

const items: readonly BudgetItem[] = ['variables', 'windows', 'series', 'streams'];

/** Creates the full budget of one request (shared/domain/reading/README.md#budgets). */
export function createBudget(): Budget {
	const left: Record<BudgetItem, number> = { ...readLimits };
	const seriesOfGroup = new Map<string, number>();
	return {
		take: (keys, points) => {
			/** The number of series of each group that this variable reads from, with this variable. */
			const grown = new Map<string, number>();
			let streams = 0;
			for (const key of keys) {
				const group = streamGroupOf(key);
				const count = grown.get(group) ?? seriesOfGroup.get(group) ?? 0;
				grown.set(group, count + 1);
				// All streams of the group are full, so the series opens a new one. One that costs more than the limit may still be read alone.
				if (count % maxSeriesPerStream === 0) streams += Math.min(streamCostOf(key), readLimits.streams);
			}
			const windows = keys.reduce((sum, key) => sum + windowsOf(key), 0);
			const needed = { variables: 1, windows: Math.max(windows, points), series: keys.length, streams };
			const scarce = items.find((item) => needed[item] > left[item]);
			if (scarce !== undefined) return { item: scarce, needed: needed[scarce], left: left[scarce] };
			for (const item of items) left[item] -= needed[item];
			for (const [group, count] of grown) seriesOfGroup.set(group, count);
			return null;
		},
	};
}

/**
 * The number of windows that a series counts for. It may have more: up to a fifth where a period is of months or years, which differ in
 * length, and two that are cut at the ends.
 */
export function windowsOf(key: SeriesKey): number {
	return key.read === 'newest' ? 1 : windowCount(key.lookback, key.period);
}
