import type { Gap } from '#page/core/past/windows.ts';

/** Returns the place of a time as a share of the width. `bounds` are the bounds of the drawn windows, in epoch milliseconds. */
export function shareOf(time: number, bounds: readonly number[]): number {
	const [start, end] = [bounds[0] ?? 0, bounds.at(-1) ?? 1];
	return (time - start) / (end - start);
}

/** Returns left edge and width of consecutive windows as shares of the width. `from` and `to` are the indices of their first and last bound. */
export function placeOf({ from, to }: Pick<Gap, 'from' | 'to'>, bounds: readonly number[]) {
	const [start, end] = [bounds[0] ?? 0, bounds.at(-1) ?? 1];
	const [left, right] = [bounds[from] ?? start, bounds[to] ?? end];
	return { left: (left - start) / (end - start), width: (right - left) / (end - start) };
}

/** Formats a share for a style. */
export function percent(share: number): string {
	return `${100 * share}%`;
}

/**
 * Moves labels apart that would cover each other. Each stays as near to its wanted place as the others allow.
 * @param wanted the wanted places, measured from the top
 * @param height the height of one label, in the same unit
 * @param room the height that all labels share
 * @returns the places in the order of `wanted`
 */
export function spreadLabels(wanted: readonly number[], height: number, room: number): readonly number[] {
	const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
	const places: number[] = [...wanted];
	let above = Number.NEGATIVE_INFINITY;
	for (const index of order) {
		above = Math.max(places[index] ?? 0, above + height, 0);
		places[index] = above;
	}
	let below = Math.max(room, order.length * height);
	for (const index of order.toReversed()) {
		below = Math.min(places[index] ?? 0, below - height);
		places[index] = below;
	}
	return places;
}
