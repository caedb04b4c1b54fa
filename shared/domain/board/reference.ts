/** Most distinct variables of a board: what it drops and what it takes up fit in one commit (design section 6). */
export const maxBoardVariables = 48;

/** Most items of a board. */
export const maxBoardItems = 500;

/** That something refers to a variable, or to one bit of it. `path`: where, as an offence about it says. */
export interface Reference {
	readonly path: string;
	readonly varId: number;
	readonly bit?: number | undefined;
}

/** The bits that references pick, by variable: every variable referred to, with its bits ascending (none: the whole variable). */
export function bitsByVariable(references: readonly Reference[]): ReadonlyMap<number, readonly number[]> {
	const bits = new Map<number, Set<number>>();
	for (const { varId, bit } of references) {
		const known = bits.get(varId) ?? new Set();
		if (bit !== undefined) known.add(bit);
		bits.set(varId, known);
	}
	return new Map([...bits].map(([id, each]) => [id, [...each].sort((a, b) => a - b)]));
}
