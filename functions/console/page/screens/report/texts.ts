import { messages } from '#page/i18n/i18n.ts';

/** The texts of the screen of reports. */
export const reportScreenText = messages({
	en: {
		empty: 'No reports yet',
		emptyHint: 'A report tells what the plant did, day by day: volumes, energy, run time, starts.',
		gone: 'This report is not there any more.',
		listUnread: 'The reports could not be read.',
		unread: 'The report could not be read.',
	},
	es: {
		empty: 'Aún no hay informes',
		emptyHint: 'Un informe dice lo que hizo la planta, día a día: volúmenes, energía, tiempo en marcha, arranques.',
		gone: 'Este informe ya no está.',
		listUnread: 'No se pudieron leer los informes.',
		unread: 'No se pudo leer el informe.',
	},
});
