import type { Variable } from '#page/core/definitions.ts';
import type { ComboboxOption } from './matching-options.ts';

/** Returns variables as options of a Combobox, which are found by name, process and unit. */
export function variableOptions(variables: Iterable<Variable>): readonly ComboboxOption[] {
	return [...variables].map(({ id, name, unit, process }) => ({
		value: String(id),
		label: name,
		detail: [process, unit].filter((part) => part !== '').join(' · '),
	}));
}
