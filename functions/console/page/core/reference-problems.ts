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
	const variable = known.get(varId);
	if (variable === undefined) {
		const message = `There is no variable ${varId}: choose one that exists.`;
		return [['varId', { code: 'no_such_variable', message, params: { variable: varId } }]];
	}
	if (bit === null) return [];
	if (!variable.binary_compressed) {
		const message = 'Only a bit-compressed variable has bits: leave bit out, or choose another variable.';
		return [['bit', { code: 'variable_without_bits', message, params: {} }]];
	}
	const positions = (variable.bits ?? []).map((each) => each.bit);
	if (positions.includes(bit)) return [];
	const bits = positions.join(', ');
	return [
		['bit', { code: 'no_such_bit', message: `The variable defines no bit ${bit}; it has ${bits}.`, params: { bit, bits } }],
	];
}

/** Binds to another variable: a byte asks for one of its bits. */
export function boundTo(varId: number, known: ReadonlyMap<number, Variable> | undefined): Binding {
	return { varId, bit: known?.get(varId)?.binary_compressed === true ? 'choose' : null };
}
