import type { Schemas } from './api.ts';
import type { Variable } from './definitions.ts';

/** The kinds of variable, as people see them. */
export const variableKinds = ['simple', 'byte', 'formula'] as const;

/** The kind of a variable: it shows samples, the bits of a byte, or the result of a formula. */
export type VariableKind = (typeof variableKinds)[number];

/** Returns the kind of a stored variable. */
export function kindOf({ calc, binary_compressed }: Pick<Variable, 'calc' | 'binary_compressed'>): VariableKind {
	if (calc) return 'formula';
	return binary_compressed ? 'byte' : 'simple';
}

/** Returns the named bits of a stored variable: none unless it is a byte. */
export function bitsOf(variable: Variable | undefined): readonly Schemas['Bit'][] {
	return variable !== undefined && 'bits' in variable ? variable.bits : [];
}
