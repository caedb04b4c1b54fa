import { type Duration, monthOf, monthStart, subtract } from './duration.ts';

/**
 * Windows of aggregation (design section 5): multiples of the period since the Unix epoch, UTC; calendar periods are
 * counted in months from January 1970. Every range is [start, stop).
 */
export interface Range {
	readonly start: number;
	readonly stop: number;
}

/** The boundary at or before `time`, epoch milliseconds. */
export function boundaryAtOrBefore(time: number, period: Duration): number {
	if (period.months === undefined) return Math.floor(time / period.ms) * period.ms;
	return monthStart(Math.floor(monthOf(time) / period.months) * period.months);
}

/** The first boundary after `time`. */
export function boundaryAfter(time: number, period: Duration): number {
	if (period.months === undefined) return boundaryAtOrBefore(time, period) + period.ms;
	return monthStart((Math.floor(monthOf(time) / period.months) + 1) * period.months);
}

/** How many windows a query may have: `ceil(lookback / period) + 1`, with mo = 31 d and y = 366 d. */
export function windowCount(lookback: Duration, period: Duration): number {
	return Math.ceil(lookback.ms / period.ms) + 1;
}

/** The range that the newest value is looked for in: `[now - lookback, now)`. */
export function newestRange(now: number, lookback: Duration): Range {
	return { start: subtract(now, lookback), stop: now };
}

/** Windows that lie in a row: `starts[i]` to `starts[i + 1]`, the last to `stop`. */
export interface Windows {
	readonly starts: readonly number[];
	readonly stop: number;
}

/** When the `index`-th of `windows` ends, which is its time: the next one's start, or `stop` for the last. */
export function windowEnd(windows: Windows, index: number): number {
	return windows.starts[index + 1] ?? windows.stop;
}

/** The windows of a history: from the boundary at or before `now - lookback` up to now; the last may be unfinished. */
export function historyWindows(now: number, lookback: Duration, period: Duration): Windows {
	const starts: number[] = [];
	for (let at = boundaryAtOrBefore(subtract(now, lookback), period); at < now; at = boundaryAfter(at, period)) starts.push(at);
	return { starts, stop: now };
}

/**
 * The windows of a newest mean: `ceil(lookback / period)` of one whole period each, the last ending at now, so that an
 * hourly mean is of the last hour. Calendar periods keep their calendar windows, the last being the unfinished one.
 */
export function trailingWindows(now: number, lookback: Duration, period: Duration): Windows {
	const count = Math.ceil(lookback.ms / period.ms);
	const starts: number[] = [];
	if (period.months === undefined) {
		for (let left = count; left > 0; left -= 1) starts.push(now - left * period.ms);
	} else {
		for (let at = boundaryAtOrBefore(now - 1, period); starts.length < count; at = boundaryAtOrBefore(at - 1, period))
			starts.push(at);
		starts.reverse();
	}
	return { starts, stop: now };
}
