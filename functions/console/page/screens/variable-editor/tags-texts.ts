import { messages } from '#page/i18n/i18n.ts';

/** The texts of the tags of a query. */
export const tagsText = messages({
	en: {
		tags: 'Tags',
		tag: 'Tag',
		value: 'Value',
		newTag: 'New tag',
		addTag: 'Add a tag',
		hint: 'Telegraf tells devices apart by tags. An empty value chooses what lacks the tag.',
		repeated: 'Another row has this tag, too.',
		source: 'Choose a source',
		chosen: (count: number, all: number) =>
			count === 1 ? 'These tags choose one source.' : `These tags choose ${count} of ${all} sources.`,
		chooseOne: (count: number) => `${count} sources write here: choose one.`,
		noSource: 'No source has these tags.',
		unread: 'The sources could not be read: type the tags.',
	},
	es: {
		tags: 'Etiquetas',
		tag: 'Etiqueta',
		value: 'Valor',
		newTag: 'Etiqueta nueva',
		addTag: 'Añadir una etiqueta',
		hint: 'Telegraf distingue los equipos por etiquetas. Un valor vacío elige lo que no tiene la etiqueta.',
		repeated: 'Otra fila tiene también esta etiqueta.',
		source: 'Elegir una fuente',
		chosen: (count: number, all: number) =>
			count === 1 ? 'Estas etiquetas eligen una fuente.' : `Estas etiquetas eligen ${count} de ${all} fuentes.`,
		chooseOne: (count: number) => `Escriben aquí ${count} fuentes: elija una.`,
		noSource: 'Ninguna fuente tiene estas etiquetas.',
		unread: 'No se pudieron leer las fuentes: escriba las etiquetas.',
	},
});
