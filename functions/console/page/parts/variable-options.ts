import type { Variable } from '#page/core/definitions.ts';
import { bitsOf } from '#page/core/variable-kind.ts';
import { commonText } from '#page/i18n/common.ts';
import type { ComboboxOption } from './matching-options.ts';

/**
 * Returns variables as options of a Combobox, which searches their names, processes and units. Variables with the same name are told
 * apart by their ids and topics.
 */
export function variableOptions(variables: Iterable<Variable>): readonly ComboboxOption[] {
	const all = [...variables];
	/** How many variables have each name. */
	const nameCounts = new Map<string, number>();
	for (const { name } of all) nameCounts.set(name, (nameCounts.get(name) ?? 0) + 1);
	return all.map((variable) => {
		const { id, name, unit, process } = variable;
		const isOneOfSeveral = (nameCounts.get(name) ?? 0) > 1;
		const topics = isOneOfSeveral ? Object.values(variable.varsTsdb).map((query) => query.calc_topic) : [];
		const bits = variable.binary_compressed ? commonText().byteOf(bitsOf(variable).length) : '';
		return {
			value: String(id),
			label: isOneOfSeveral ? `${name} (${id})` : name,
			detail: [process, bits, ...topics].filter((part) => part !== '').join(' · '),
			trailing: unit,
		};
	});
}
