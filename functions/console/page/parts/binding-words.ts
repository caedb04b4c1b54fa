import type { Variable } from '#page/core/definitions.ts';
import type { Binding } from '#page/core/reference-problems.ts';
import { commonText } from '#page/i18n/common.ts';

/**
 * Returns the words of a binding: `Plant status, bit 3`; the id where the variable does not exist; '' where none is chosen. A bit that is
 * still to be chosen is left out.
 * @param variables by id; undefined until they were read
 */
export function bindingWords({ varId, bit }: Binding, variables: ReadonlyMap<number, Variable> | undefined): string {
	if (varId === null) return '';
	const name = variables?.get(varId)?.name ?? `${commonText().variable.toLowerCase()} ${varId}`;
	return typeof bit === 'number' ? `${name}, ${commonText().bit.toLowerCase()} ${bit}` : name;
}
