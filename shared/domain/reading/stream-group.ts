import type { SeriesKey } from '../ports/time-series.ts';
import type { Duration } from '../variable/duration.ts';
import { windowCount } from '../variable/window.ts';
import { lookbackClassOf } from './lookback-class.ts';

/** Most series that one stream reads (DESIGN.md section 5.7). */
export const maxSeriesPerStream = 40;

/**
 * Returns a text that is equal for series that may share a stream (DESIGN.md section 5.6): newest reads of one class of lookbacks,
 * and windowed reads of one lookback, period and aggregate.
 */
export function streamGroupOf(key: SeriesKey): string {
	return key.read === 'newest'
		? `newest ${lookbackClassOf(key.lookback)}`
		: [key.read, textOf(key.lookback), textOf(key.period), key.aggregate].join();
}

/**
 * Returns how many ranges a stream of such series reads at most. The windows of a newest mean over months or years differ in length,
 * and each length becomes a range of its own (DESIGN.md section 5.7). Any other stream reads one range.
 */
export function rangesOf(key: SeriesKey): number {
	return key.read === 'trailing' && key.period.months !== undefined ? windowCount(key.lookback, key.period) : 1;
}

const textOf = ({ ms, months }: Duration): string => `${ms} ${months ?? ''}`;
