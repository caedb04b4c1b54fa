import { type Duration, monthOf, monthStart } from '#domain/variable/duration.ts';
import type { Range } from '#domain/variable/window.ts';

/** Windows of one length that follow each other: one `aggregateWindow` reads them. */
export interface WindowRun {
	/** From the start of the first window to the end of the last one. */
	readonly range: Range;
	/** The windows as arguments of `aggregateWindow`: `every: 3600000ms, offset: 60000ms`. */
	readonly windows: string;
}

/**
 * Divides windows into as few runs as possible (shared/adapters/influx/README.md#windows). A first or a last window that is shorter than
 * its neighbour is taken as cut, and joins it.
 * @param bounds strictly ascending epoch milliseconds: window i is [bounds[i], bounds[i + 1])
 * @example
 * runsOf([30, 60, 120, 180, 200]); // [{ range: { start: 30, stop: 200 }, windows: 'every: 60ms' }]
 */
export function runsOf(bounds: readonly number[]): readonly WindowRun[] {
	/** The last window. */
	const last = bounds.length - 2;
	const months = monthsOf(bounds);
	if (months !== undefined) return [{ range: rangeOf(bounds, 0, last), windows: periodWindows({ ms: 0, months }) }];
	const runs: WindowRun[] = [];
	for (let first = 0; first <= last; ) {
		// A first window that is shorter than the second was cut: the run has the length of the second.
		const isCut = first === 0 && last > 0 && lengthOf(bounds, 0) < lengthOf(bounds, 1);
		const whole = isCut ? 1 : first;
		const length = lengthOf(bounds, whole);
		/** Whether a window has the length of the run, or is the last one, cut. */
		const isOfRun = (window: number): boolean =>
			lengthOf(bounds, window) === length || (window === last && lengthOf(bounds, window) < length);
		let end = whole;
		while (end < last && isOfRun(end + 1)) end += 1;
		runs.push({ range: rangeOf(bounds, first, end), windows: fixedWindows(length, bounds[whole] ?? 0) });
		first = end + 1;
	}
	return runs;
}

/**
 * Writes windows of a fixed length as arguments of `aggregateWindow`.
 * @param boundary any bound of the windows, in epoch milliseconds; by default the Unix epoch
 */
export function fixedWindows(length: number, boundary = 0): string {
	const offset = ((boundary % length) + length) % length;
	return offset === 0 ? `every: ${length}ms` : `every: ${length}ms, offset: ${offset}ms`;
}

/** Writes the windows of a history, multiples of the period since the Unix epoch, as arguments of `aggregateWindow`. */
export function periodWindows({ ms, months }: Duration): string {
	return months === undefined ? fixedWindows(ms) : `every: ${months}mo`;
}

/**
 * Returns the months of a window when all windows are multiples of them since January 1970, UTC, except that the first and the last may be
 * cut. Undefined for other windows, and for fewer than three. Months differ in length, so they have no length in milliseconds.
 */
function monthsOf(bounds: readonly number[]): number | undefined {
	const inner = bounds.slice(1, -1);
	const [first, second] = inner.slice(0, 2).map((bound) => monthOf(bound));
	if (first === undefined || second === undefined) return undefined;
	const step = second - first;
	const isAligned = step > 0 && first % step === 0 && inner.every((bound, index) => bound === monthStart(first + index * step));
	const earliest = monthStart(first - step);
	const latest = monthStart(first + inner.length * step);
	return isAligned && (bounds[0] ?? 0) >= earliest && (bounds.at(-1) ?? 0) <= latest ? step : undefined;
}

const lengthOf = (bounds: readonly number[], window: number): number => (bounds[window + 1] ?? 0) - (bounds[window] ?? 0);

const rangeOf = (bounds: readonly number[], first: number, last: number): Range => ({
	start: bounds[first] ?? 0,
	stop: bounds[last + 1] ?? 0,
});
