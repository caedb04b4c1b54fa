import type { Gap } from '#page/core/past/windows.ts';

/** Returns the place of a time as a share of the width. `bounds` are the bounds of the drawn windows, in epoch milliseconds. */
export function shareOf(time: number, bounds: readonly number[]): number {
	const { start, end } = drawnSpan(bounds);
	return (time - start) / (end - start);
}

/** Returns the drawn time. Without a window it is a millisecond, so that nothing is divided by zero. */
function drawnSpan(bounds: readonly number[]): { readonly start: number; readonly end: number } {
	return { start: bounds[0] ?? 0, end: bounds.at(-1) ?? 1 };
}

/** Returns left edge and width of consecutive windows as shares of the width. `from` and `to` are the indices of their first and last bound. */
export function placeOf({ from, to }: Pick<Gap, 'from' | 'to'>, bounds: readonly number[]) {
	const { start, end } = drawnSpan(bounds);
	const [leftTime, rightTime] = [bounds[from] ?? start, bounds[to] ?? end];
	return { left: (leftTime - start) / (end - start), width: (rightTime - leftTime) / (end - start) };
}

/** Formats a share for a style. */
export function percent(share: number): string {
	return `${100 * share}%`;
}

/**
 * Moves labels apart that would cover each other: downwards, and upwards again where the room ends.
 * @param wanted the wanted places, measured from the top
 * @param height the height of one label, in the same unit
 * @param room the height that all labels share
 * @returns the places in the order of `wanted`
 */
export function spreadLabels(wanted: readonly number[], height: number, room: number): readonly number[] {
	const downwards = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
	const places: number[] = [...wanted];
	// From the top down, each label that would cover the one above is moved down.
	let above = Number.NEGATIVE_INFINITY;
	for (const index of downwards) {
		above = Math.max(places[index] ?? 0, above + height, 0);
		places[index] = above;
	}
	// From the bottom up, labels that this has moved out of the room are moved up again.
	let below = Math.max(room, downwards.length * height);
	for (const index of downwards.toReversed()) {
		below = Math.min(places[index] ?? 0, below - height);
		places[index] = below;
	}
	return places;
}
