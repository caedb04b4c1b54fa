/**
 * Counts the slots of each window. Slots follow each other every `slotMs` from the Unix epoch on. A window has those that begin in it; a
 * slot that ends after the last bound does not count. Coverage divides by these counts
 * (shared/domain/calendar/README.md#slots-and-coverage).
 * @param bounds n + 1 ascending epoch milliseconds: window i is [bounds[i], bounds[i + 1])
 * @returns n counts; 0 where no slot begins in the window
 */
export function slotCounts(bounds: readonly number[], slotMs: number): readonly number[] {
	const endedCount = Math.floor((bounds.at(-1) ?? 0) / slotMs);
	/** Returns the number of the first slot that begins at `time` or later. It is at most `endedCount`: the slots from there on have not ended. */
	const slotFrom = (time: number): number => Math.min(Math.ceil(time / slotMs), endedCount);
	return bounds.slice(1).map((bound, index) => slotFrom(bound) - slotFrom(bounds[index] ?? bound));
}
