import type { VariableKind } from '#page/core/variable-kind.ts';
import { messages } from '#page/i18n/i18n.ts';

/** The texts of the list of variables. */
export const listText = messages({
	en: {
		search: 'Name, topic, unit or process',
		all: 'All',
		kinds: { simple: 'Simple', byte: 'Byte', formula: 'Formula' } satisfies Record<VariableKind, string>,
		faulty: 'Not good',
		history: 'history',
		id: 'Id',
		source: 'Source or formula',
		filters: 'Filters',
		found: (count: number) => (count === 1 ? '1 variable' : `${count} variables`),
		noneText: 'A variable reads a topic, names the bits of a byte, or calculates with other values.',
	},
	es: {
		search: 'Nombre, topic, unidad o proceso',
		all: 'Todas',
		kinds: { simple: 'Simple', byte: 'Byte', formula: 'Fórmula' } satisfies Record<VariableKind, string>,
		faulty: 'No buenas',
		history: 'histórico',
		id: 'Id',
		source: 'Origen o fórmula',
		filters: 'Filtros',
		found: (count: number) => (count === 1 ? '1 variable' : `${count} variables`),
		noneText: 'Una variable lee un topic, da nombre a los bits de un byte o calcula con otros valores.',
	},
});
