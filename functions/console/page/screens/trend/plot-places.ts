import type { Gap } from './gaps.ts';

/** Returns where a time is, as a share of the width. `bounds` are those of the windows, epoch milliseconds. */
export function shareOf(time: number, bounds: readonly number[]): number {
	const [start, end] = [bounds[0] ?? 0, bounds.at(-1) ?? 1];
	return (time - start) / (end - start);
}

/** Returns where windows are, as shares of the width. */
export function placeOf({ from, to }: Pick<Gap, 'from' | 'to'>, bounds: readonly number[]) {
	const [start, end] = [bounds[0] ?? 0, bounds.at(-1) ?? 1];
	const [left, right] = [bounds[from] ?? start, bounds[to] ?? end];
	return { left: (left - start) / (end - start), width: (right - left) / (end - start) };
}

/** Formats a share for a style. */
export function percent(share: number): string {
	return `${100 * share}%`;
}
