import { type Duration, monthOf, monthStart, subtract } from './duration.ts';

/** A time range [start, stop) in epoch milliseconds. */
export interface Range {
	readonly start: number;
	readonly stop: number;
}

/** Consecutive windows. Window `i` is [starts[i], starts[i + 1]), the last one ends at `stop`; epoch milliseconds. */
export interface Windows {
	readonly starts: readonly number[];
	readonly stop: number;
}

/**
 * Returns the window boundary at or before `time` (epoch milliseconds). Boundaries are multiples of the period since the Unix
 * epoch; for a calendar period, multiples of its months since January 1970, UTC (shared/domain/variable/README.md#windows).
 */
export function boundaryAtOrBefore(time: number, period: Duration): number {
	if (period.months === undefined) return Math.floor(time / period.ms) * period.ms;
	return monthStart(Math.floor(monthOf(time) / period.months) * period.months);
}

/** Returns the first window boundary after `time` (epoch milliseconds). */
export function boundaryAfter(time: number, period: Duration): number {
	if (period.months === undefined) return boundaryAtOrBefore(time, period) + period.ms;
	return monthStart((Math.floor(monthOf(time) / period.months) + 1) * period.months);
}

/** Returns the number of windows that a query counts for: `ceil(lookback / period) + 1`, with mo = 31 d and y = 366 d. */
export function windowCount(lookback: Duration, period: Duration): number {
	return Math.ceil(lookback.ms / period.ms) + 1;
}

/** Returns the range in which the newest value is searched: [now - lookback, now). */
export function newestRange(now: number, lookback: Duration): Range {
	return { start: subtract(now, lookback), stop: now };
}

/** Returns the end of window `index`, which is also the time of its value. */
export function windowEnd(windows: Windows, index: number): number {
	return windows.starts[index + 1] ?? windows.stop;
}

/**
 * Returns the windows of a history: from the boundary at or before `now - lookback` up to `now`. The last one may be unfinished.
 * @example
 * historyWindows(Date.parse('2024-03-15T12:30:00Z'), { ms: 3_600_000 }, { ms: 3_600_000 });
 * // starts: [11:00, 12:00], stop: 12:30
 */
export function historyWindows(now: number, lookback: Duration, period: Duration): Windows {
	const starts: number[] = [];
	for (let at = boundaryAtOrBefore(subtract(now, lookback), period); at < now; at = boundaryAfter(at, period)) starts.push(at);
	return { starts, stop: now };
}

/**
 * Returns the windows of a newest mean: [now - lookback, now) from its end in whole periods, so that an hourly mean covers the last
 * 60 minutes. The k-th window back begins at now - k periods, each subtracted from `now` itself; the oldest is clipped to the
 * lookback (shared/domain/variable/README.md#what-a-query-reads).
 * @example
 * trailingWindows(Date.parse('2024-03-15T12:30:00Z'), { ms: 5_400_000 }, { ms: 3_600_000 });
 * // starts: [11:00, 11:30], stop: 12:30
 */
export function trailingWindows(now: number, lookback: Duration, period: Duration): Windows {
	const start = subtract(now, lookback);
	const starts: number[] = [];
	let at = now;
	for (let count = 1; at > start; count += 1) {
		at = Math.max(start, subtract(now, multiplied(period, count)));
		starts.push(at);
	}
	return { starts: starts.reverse(), stop: now };
}

const multiplied = ({ ms, months }: Duration, count: number): Duration =>
	months === undefined ? { ms: ms * count } : { ms: ms * count, months: months * count };
