import type { SeriesKey } from '../ports/time-series.ts';
import type { Duration } from '../variable/duration.ts';
import { windowCount } from '../variable/window.ts';
import { lookbackClassOf } from './lookback-class.ts';

/** Most series that one stream reads (shared/adapters/influx/README.md#streams). */
export const maxSeriesPerStream = 40;

/** A stream of means reads its series 3 times: for the windows, and for the types of the oldest and of the newest sample. */
const readsPerStream = 3;

/**
 * Returns a text that is equal for series that may share a stream (shared/domain/reading/README.md#budgets): newest reads of one class of
 * lookbacks, and windowed reads of one lookback, period and aggregate.
 */
export function streamGroupOf(key: SeriesKey): string {
	return key.read === 'newest'
		? `newest ${lookbackClassOf(key.lookback)}`
		: [key.read, textOf(key.lookback), textOf(key.period), key.aggregate].join();
}

/**
 * Returns as how many streams a stream of such series counts. The windows of a newest mean over months or years differ in length, and
 * each length is read by itself (shared/domain/reading/README.md#budgets).
 */
export function streamCostOf(key: SeriesKey): number {
	// Of the newest values only means are read as windows (`trailing`).
	if (key.read !== 'trailing' || key.period.months === undefined) return 1;
	const readsForWindows = windowCount(key.lookback, key.period);
	const readsForTypes = readsPerStream - 1;
	return Math.ceil((readsForWindows + readsForTypes) / readsPerStream);
}

const textOf = ({ ms, months }: Duration): string => `${ms} ${months ?? ''}`;
