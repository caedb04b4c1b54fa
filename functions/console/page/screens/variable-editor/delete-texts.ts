import { messages } from '#page/i18n/i18n.ts';

/** The texts of deleting a variable, and of what uses it. */
export const deleteText = messages({
	en: {
		deleteFree: 'Nothing refers to it. It cannot be brought back.',
		deleteUsed: 'It is used by:',
		deleteBoards:
			'Charts and diagrams lose it and stay. Alarms on it are deleted. The panel keeps its items, which then show nothing.',
		deleteFinal: 'It cannot be brought back.',
		keep: 'Keep it',
		usages: { chart: 'chart', diagram: 'diagram', alarm: 'alarm', panel: 'panel' },
		usagesUnknown: 'What uses it could not be read.',
		changedMeanwhile: 'Somebody saved it meanwhile: look at it again before you delete it.',
		deleted: (name: string) => `Deleted: ${name}`,
	},
	es: {
		deleteFree: 'Nada la usa. No se podrá recuperar.',
		deleteUsed: 'La usan:',
		deleteBoards:
			'Los gráficos y sinópticos la pierden y se conservan. Sus alarmas se borran. El panel conserva sus elementos, que ya no mostrarán nada.',
		deleteFinal: 'No se podrá recuperar.',
		keep: 'Conservarla',
		usages: { chart: 'gráfico', diagram: 'sinóptico', alarm: 'alarma', panel: 'panel' },
		usagesUnknown: 'No se pudo leer qué la usa.',
		changedMeanwhile: 'Otra persona la ha guardado entretanto: vuelva a verla antes de borrarla.',
		deleted: (name: string) => `Borrada: ${name}`,
	},
});
