import { type Duration, monthOf, monthStart } from '#domain/variable/duration.ts';
import type { Range } from '#domain/variable/window.ts';
import { equalRunsOf, offsetOf } from '../influx-common/equal-runs.ts';

/** Windows of one length that follow each other: one `aggregateWindow` reads them. */
export interface WindowRun {
	/** From the start of the first window to the end of the last one. */
	readonly range: Range;
	/** The windows as arguments of `aggregateWindow`: `every: 3600000ms, offset: 60000ms`. */
	readonly windows: string;
}

/**
 * Divides windows into as few runs as possible (shared/adapters/influx/README.md#windows). A first or a last window that is shorter than
 * its neighbour is taken as cut, and joins it (`equalRunsOf`).
 * @param bounds strictly ascending epoch milliseconds: window i is [bounds[i], bounds[i + 1])
 * @example
 * runsOf([30, 60, 120, 180, 200]); // [{ range: { start: 30, stop: 200 }, windows: 'every: 60ms' }]
 */
export function runsOf(bounds: readonly number[]): readonly WindowRun[] {
	const months = monthsOf(bounds);
	if (months !== undefined)
		return [{ range: { start: bounds[0] ?? 0, stop: bounds.at(-1) ?? 0 }, windows: periodWindows({ ms: 0, months }) }];
	return equalRunsOf(bounds).map(({ range, length, boundary }) => ({ range, windows: fixedWindows(length, boundary) }));
}

/**
 * Writes windows of a fixed length as arguments of `aggregateWindow`.
 * @param boundary any bound of the windows, in epoch milliseconds; by default the Unix epoch
 */
export function fixedWindows(length: number, boundary = 0): string {
	const offset = offsetOf(length, boundary);
	return offset === 0 ? `every: ${length}ms` : `every: ${length}ms, offset: ${offset}ms`;
}

/** Writes the windows of a history, multiples of the period since the Unix epoch, as arguments of `aggregateWindow`. */
export function periodWindows({ ms, months }: Duration): string {
	return months === undefined ? fixedWindows(ms) : `every: ${months}mo`;
}

/**
 * Returns how many months each window has, such as 3 for quarters. Windows of months begin at multiples of them since January 1970, UTC; only
 * the first and the last may be cut. Undefined for other windows, and for fewer than three.
 */
function monthsOf(bounds: readonly number[]): number | undefined {
	// The first and the last bound may be where the range cuts a window.
	const inner = bounds.slice(1, -1);
	const [first, second] = inner.slice(0, 2).map(monthOf);
	if (first === undefined || second === undefined) return undefined;
	const months = second - first;
	if (months === 0 || first % months !== 0) return undefined;
	/** Returns inner bound `index` as the calendar has it. The one before the first is at -1. */
	const boundAt = (index: number): number => monthStart(first + index * months);
	const isCalendar = inner.every((bound, index) => bound === boundAt(index));
	return isCalendar && (bounds[0] ?? 0) >= boundAt(-1) && (bounds.at(-1) ?? 0) <= boundAt(inner.length) ? months : undefined;
}
