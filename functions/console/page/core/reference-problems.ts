import { referenceProblem } from '#domain/board/reference.ts';
import type { FieldError } from './api.ts';
import type { Variable } from './definitions.ts';

/**
 * A variable, or one bit of it, that a person chooses in a form. `bit` is null for the whole value, and `choose` while a bit of a byte
 * must still be chosen.
 */
export interface Binding {
	readonly varId: number | null;
	readonly bit: number | null | 'choose';
}

/**
 * Checks a binding as the service does when it is saved. Returns the problems by the name of their field.
 * @param variables by id; undefined while they are not read yet, and then only a missing choice is a problem
 */
export function bindingProblems(
	{ varId, bit }: Binding,
	variables: ReadonlyMap<number, Variable> | undefined,
): readonly (readonly ['varId' | 'bit', FieldError])[] {
	if (varId === null) return [['varId', { code: 'choose_variable', message: 'Choose a variable.', params: {} }]];
	if (bit === 'choose') return [['bit', { code: 'choose_bit', message: 'Choose a bit.', params: {} }]];
	if (variables === undefined) return [];
	const problem = referenceProblem({ varId, bit: bit ?? undefined }, variables.get(varId) ?? null);
	return problem === null ? [] : [problem];
}

/** Returns the binding to another variable. For a byte, a bit must still be chosen. */
export function boundTo(varId: number, variables: ReadonlyMap<number, Variable> | undefined): Binding {
	return { varId, bit: variables?.get(varId)?.binary_compressed === true ? 'choose' : null };
}
