import { messages } from '#page/i18n/i18n.ts';

/** The texts of the overview. */
export const overviewText = messages({
	en: {
		variables: 'variables',
		find: 'Find a variable',
		view: 'View',
		tiles: 'Tiles',
		rows: 'Rows',
		list: 'Variables by process',
		shown: (shown: number, all: number) => `${shown} of ${all} variables`,
		emptyHint: 'A variable is what the plant sends: a level, a flow, a pump that runs.',
		bitsOn: (on: number, all: number) => `${on} of ${all} on`,
		noFaults: 'Every value can be trusted',
	},
	es: {
		variables: 'variables',
		find: 'Buscar una variable',
		view: 'Vista',
		tiles: 'Recuadros',
		rows: 'Filas',
		list: 'Variables por proceso',
		shown: (shown: number, all: number) => `${shown} de ${all} variables`,
		emptyHint: 'Una variable es lo que envía la planta: un nivel, un caudal, una bomba en marcha.',
		bitsOn: (on: number, all: number) => `${on} de ${all} activos`,
		noFaults: 'Todos los valores son fiables',
	},
});
