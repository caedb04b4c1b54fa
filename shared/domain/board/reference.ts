/** Maximum number of different variables of a board: one commit updates the old and the new ones (shared/http/README.md#limits). */
export const maxBoardVariables = 48;

/** Maximum number of series or items of a board. */
export const maxBoardItems = 500;

/** A reference to a variable, or to one bit of it. `path` is the item's field as an error names it, `items.2`. */
export interface Reference {
	readonly path: string;
	readonly varId: number;
	readonly bit?: number | undefined;
}

/** Returns every referenced variable with its referenced bits, ascending. No bits: only whole variables are referenced. */
export function bitsByVariable(references: readonly Reference[]): ReadonlyMap<number, readonly number[]> {
	const byVariable = Map.groupBy(references, ({ varId }) => varId);
	return new Map(
		[...byVariable].map(([id, each]) => {
			const bits = new Set(each.flatMap(({ bit }) => bit ?? []));
			return [id, [...bits].sort((a, b) => a - b)];
		}),
	);
}
