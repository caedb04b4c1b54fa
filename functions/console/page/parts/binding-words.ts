import type { Variable } from '#page/core/definitions.ts';
import type { Binding } from '#page/core/reference-problems.ts';
import { commonText } from '#page/i18n/common.ts';

/** Returns the words of a binding: `Plant status, bit 3`; the id where the variable does not exist. */
export function bindingWords({ varId, bit }: Binding, known: ReadonlyMap<number, Variable> | undefined): string {
	if (varId === null) return '';
	const name = known?.get(varId)?.name ?? `${commonText().variable.toLowerCase()} ${varId}`;
	return typeof bit === 'number' ? `${name}, ${commonText().bit.toLowerCase()} ${bit}` : name;
}
