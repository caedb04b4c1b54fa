import { type Problem, problem } from '../validation/problem.ts';
import type { Bit } from '../variable/bit.ts';

/** Maximum number of different variables of a board: one commit updates the old and the new ones (shared/http/README.md#limits). */
export const maxBoardVariables = 48;

/** Maximum number of series or items of a board. */
export const maxBoardItems = 500;

/**
 * A reference to a variable, or to one bit of it. `path` is the item's field as an error names it, `items.2`; empty where the board itself
 * has the reference, as an alarm does.
 */
export interface Reference {
	readonly path: string;
	readonly varId: number;
	readonly bit?: number | undefined;
}

/** Returns every referenced variable with its referenced bits, ascending. No bits: only whole variables are referenced. */
export function bitsByVariable(references: readonly Reference[]): ReadonlyMap<number, readonly number[]> {
	const byVariable = Map.groupBy(references, ({ varId }) => varId);
	return new Map(
		[...byVariable].map(([id, ofVariable]) => {
			const bits = new Set(ofVariable.flatMap(({ bit }) => bit ?? []));
			return [id, [...bits].sort((a, b) => a - b)];
		}),
	);
}

/** The properties of a referenced variable that are checked. */
export interface ReferencedVariable {
	readonly binary_compressed: boolean;
	readonly bits?: readonly Pick<Bit, 'bit'>[] | undefined;
}

/**
 * Checks that the variable of a reference exists and defines the referenced bit.
 * @param variable null: it does not exist
 * @returns the problem with the field of the reference that has it; null where there is none
 */
export function referenceProblem(
	{ varId, bit }: Omit<Reference, 'path'>,
	variable: ReferencedVariable | null,
): readonly ['varId' | 'bit', Problem] | null {
	if (variable === null)
		return ['varId', problem('no_such_variable', `There is no variable ${varId}: choose one that exists.`, { variable: varId })];
	if (bit === undefined) return null;
	if (!variable.binary_compressed) {
		const message = 'Only a bit-compressed variable has bits: leave bit out, or choose another variable.';
		return ['bit', problem('variable_without_bits', message)];
	}
	const positions = (variable.bits ?? []).map((each) => each.bit);
	if (positions.includes(bit)) return null;
	const message = `The variable defines no bit ${bit}; it has ${positions.join(', ')}.`;
	return ['bit', problem('no_such_bit', message, { bit, bits: positions })];
}
