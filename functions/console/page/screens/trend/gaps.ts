/** A value for each window; null where there is none. */
export type Column = readonly (number | null)[];

/** The least and the greatest value of each window. */
export interface Band {
	readonly low: Column;
	readonly high: Column;
}

/** Windows [from, to) without a value. `bad`: there are samples, and none can be shown. */
export interface Gap {
	readonly kind: 'no_data' | 'bad';
	readonly from: number;
	readonly to: number;
}

/**
 * Finds the gaps of a column. Empty windows between two samples of a variable that is sampled less often than the windows change are
 * none: nothing is missing there.
 * @param bad indices of the windows that have samples without a value
 * @param bounds the bounds of the windows, epoch milliseconds
 * @param ownMs the variable's own period
 */
export function findGaps(column: Column, bad: ReadonlySet<number>, bounds: readonly number[], ownMs: number): readonly Gap[] {
	const gaps: Gap[] = [];
	for (let from = 0; from < column.length; ) {
		if (column[from] !== null) {
			from += 1;
			continue;
		}
		const kind = bad.has(from) ? 'bad' : 'no_data';
		let to = from + 1;
		while (to < column.length && column[to] === null && bad.has(to) === (kind === 'bad')) to += 1;
		if (kind === 'bad' || (bounds[to] ?? 0) - (bounds[from] ?? 0) > ownMs) gaps.push({ kind, from, to });
		from = to;
	}
	return gaps;
}

/** Returns the length of gaps in milliseconds. */
export function gapsMs(gaps: readonly Gap[], bounds: readonly number[]): number {
	return gaps.reduce((sum, { from, to }) => sum + (bounds[to] ?? 0) - (bounds[from] ?? 0), 0);
}
