/** Returns the index of the last bound at or before `time`; -1 when there is none. */
export function windowAt(bounds: readonly number[], time: number): number {
	let [low, high] = [-1, bounds.length - 1];
	while (low < high) {
		const middle = Math.floor((low + high + 1) / 2);
		if ((bounds[middle] ?? 0) <= time) low = middle;
		else high = middle - 1;
	}
	return low;
}
