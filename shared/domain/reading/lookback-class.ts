import { dayMs, minuteMs } from '../milliseconds.ts';
import type { Duration } from '../variable/duration.ts';

/** The longest lookback of each class but the last: 10 min, 2 h, 1 d, 14 d, 1 y (12 mo count as 372 d). */
const longestMs = [10 * minuteMs, 120 * minuteMs, dayMs, 14 * dayMs, 372 * dayMs];

/**
 * Returns the class of a lookback, from 0 (up to 10 min) to 5 (beyond 1 y). Newest reads of one class share streams
 * (shared/domain/reading/README.md#budgets).
 */
export function lookbackClassOf({ ms }: Duration): number {
	const index = longestMs.findIndex((longest) => ms <= longest);
	return index === -1 ? longestMs.length : index;
}
