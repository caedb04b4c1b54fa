import type { BitDraft } from './draft.ts';

/**
 * Returns the bits with another name at a position; without a name the position is none of them. A bit that was stored keeps its id,
 * also when its name was empty meanwhile. Positions ascend.
 */
export function withBitName(
	bits: readonly BitDraft[],
	stored: readonly BitDraft[],
	position: number,
	name: string,
): readonly BitDraft[] {
	const others = bits.filter(({ bit }) => bit !== position);
	if (name === '') return others;
	const known = [...bits, ...stored].find(({ bit }) => bit === position);
	const id = known?.id ?? 1 + Math.max(0, ...[...bits, ...stored].map((each) => each.id));
	return [...others, { id, name, bit: position }].toSorted((a, b) => a.bit - b.bit);
}
