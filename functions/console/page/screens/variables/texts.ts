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
		columns: {
			id: 'Id',
			name: 'Name',
			process: 'Process',
			kind: 'Kind',
			source: 'Source or formula',
			value: 'Value',
			quality: 'Quality',
			age: 'Age',
			uses: 'Used by',
		},
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
		columns: {
			id: 'Id',
			name: 'Nombre',
			process: 'Proceso',
			kind: 'Clase',
			source: 'Origen o fórmula',
			value: 'Valor',
			quality: 'Calidad',
			age: 'Edad',
			uses: 'Usos',
		},
		filters: 'Filtros',
		found: (count: number) => (count === 1 ? '1 variable' : `${count} variables`),
		noneText: 'Una variable lee un topic, da nombre a los bits de un byte o calcula con otros valores.',
	},
});
