import type { Range } from '#domain/variable/window.ts';

/** Windows of one length that follow each other. */
export interface EqualRun {
	/** From the start of the first window to the end of the last one. */
	readonly range: Range;
	/** The length of each window in milliseconds; the first and the last one may be cut. */
	readonly length: number;
	/** A bound of the windows, in epoch milliseconds. */
	readonly boundary: number;
}

/**
 * Divides windows into as few runs of equal lengths as possible. A first or a last window that is shorter than its neighbour is taken as cut,
 * and joins it.
 * @param bounds strictly ascending epoch milliseconds: window i is [bounds[i], bounds[i + 1])
 * @example
 * equalRunsOf([30, 60, 120, 180, 200]); // [{ range: { start: 30, stop: 200 }, length: 60, boundary: 60 }]
 */
export function equalRunsOf(bounds: readonly number[]): readonly EqualRun[] {
	const runs: { start: number; stop: number; length: number; boundary: number }[] = [];
	for (const [index, length] of uncutLengths(bounds).entries()) {
		const [start = 0, stop = start] = [bounds[index], bounds[index + 1]];
		const run = runs.at(-1);
		if (run?.length === length) run.stop = stop;
		// The end of the first window is never where the range cuts a window: a last window that is cut joins the one before.
		else runs.push({ start, stop, length, boundary: stop });
	}
	return runs.map(({ start, stop, length, boundary }) => ({ range: { start, stop }, length, boundary }));
}

/** Returns how far the windows of a length are from multiples of it since the Unix epoch. @param boundary any of their bounds */
export function offsetOf(length: number, boundary: number): number {
	return ((boundary % length) + length) % length;
}

/** Returns the lengths of windows. A first or a last one that is shorter than its neighbour has the neighbour's length. */
function uncutLengths(bounds: readonly number[]): readonly number[] {
	const lengths = bounds.slice(1).map((stop, index) => stop - (bounds[index] ?? stop));
	const last = lengths.length - 1;
	return lengths.map((length, index) => {
		if (index === 0) return Math.max(length, lengths[1] ?? 0);
		return index === last ? Math.max(length, lengths[index - 1] ?? 0) : length;
	});
}
