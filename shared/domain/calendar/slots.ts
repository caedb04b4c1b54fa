/**
 * Counts the slots of each window, by which coverage divides: the multiples of `slotMs` since the Unix epoch that begin in the window and
 * end by the last bound (DESIGN.md section 5.10).
 * @param bounds n + 1 ascending epoch milliseconds: window i is [bounds[i], bounds[i + 1])
 * @returns n counts; 0 where no slot begins in the window
 */
export function slotCounts(bounds: readonly number[], slotMs: number): readonly number[] {
	const ended = Math.floor((bounds.at(-1) ?? 0) / slotMs);
	/** Number of the first slot that begins at `time` or later, at most `ended`: the slots from there on are not counted. */
	const slotFrom = (time: number): number => Math.min(Math.ceil(time / slotMs), ended);
	return bounds.slice(1).map((bound, index) => slotFrom(bound) - slotFrom(bounds[index] ?? bound));
}
