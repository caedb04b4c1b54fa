import { referenceProblem } from '#domain/board/reference.ts';
import type { FieldError } from './api.ts';
import type { Variable } from './definitions.ts';

/** A variable, or one bit of it, that somebody chooses. A byte's bit is `choose` until a choice is made; null is the whole value. */
export interface Binding {
	readonly varId: number | null;
	readonly bit: number | null | 'choose';
}

/**
 * Checks a binding as the service does when it is saved, by the variables that are known. Each problem has the name of its field.
 * @param known the variables by id; undefined while they are not known, and then only a missing choice is a problem
 */
export function bindingProblems(
	{ varId, bit }: Binding,
	known: ReadonlyMap<number, Variable> | undefined,
): readonly (readonly ['varId' | 'bit', FieldError])[] {
	if (varId === null) return [['varId', { code: 'choose_variable', message: 'Choose a variable.', params: {} }]];
	if (bit === 'choose') return [['bit', { code: 'choose_bit', message: 'Choose a bit.', params: {} }]];
	if (known === undefined) return [];
	const found = referenceProblem({ varId, bit: bit ?? undefined }, known.get(varId) ?? null);
	return found === null ? [] : [found];
}

/** Binds to another variable: a byte asks for one of its bits. */
export function boundTo(varId: number, known: ReadonlyMap<number, Variable> | undefined): Binding {
	return { varId, bit: known?.get(varId)?.binary_compressed === true ? 'choose' : null };
}
