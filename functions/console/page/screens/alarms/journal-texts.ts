import { messages } from '#page/i18n/i18n.ts';

/** The texts of the journal of alarms. */
export const journalText = messages({
	en: {
		title: 'Journal',
		ranges: { '1': '24 h', '7': '7 d', '31': '31 d' },
		kind: 'Kind',
		everyKind: 'every kind',
		kinds: {
			...{ raised: 'raised', cleared: 'cleared', acknowledged: 'acknowledged', shelved: 'shelved' },
			...{ unshelved: 'brought back', changed: 'changed', deleted: 'deleted', gap: 'not evaluated' },
		},
		causes: { no_data: 'no data', disabled: 'disabled', deleted: 'deleted' },
		everyAlarm: 'every alarm',
		allAlarms: 'All alarms',
		details: 'Details',
		earlier: 'Show earlier',
		empty: 'Nothing happened in this time.',
		nothing: 'Nothing of this kind in this time.',
		notRead: 'The journal could not be read.',
		csvHeads: [
			...['time (UTC)', 'local time', 'recorded at (UTC)', 'alarm id', 'alarm', 'severity', 'kind', 'cause', 'occurrence'],
			...['value', 'unit', 'condition', 'threshold', 'quality', 'inputs', 'user', 'comment'],
		],
	},
	es: {
		title: 'Diario',
		ranges: { '1': '24 h', '7': '7 d', '31': '31 d' },
		kind: 'Tipo',
		everyKind: 'todo tipo',
		kinds: {
			...{ raised: 'activada', cleared: 'normalizada', acknowledged: 'reconocida', shelved: 'aplazada' },
			...{ unshelved: 'reactivada', changed: 'cambiada', deleted: 'borrada', gap: 'sin evaluar' },
		},
		causes: { no_data: 'sin datos', disabled: 'desactivada', deleted: 'borrada' },
		everyAlarm: 'toda alarma',
		allAlarms: 'Todas las alarmas',
		details: 'Detalles',
		earlier: 'Ver anteriores',
		empty: 'No ha pasado nada en este tiempo.',
		nothing: 'Nada de este tipo en este tiempo.',
		notRead: 'No se pudo leer el diario.',
		csvHeads: [
			...['hora (UTC)', 'hora local', 'anotado (UTC)', 'id de alarma', 'alarma', 'gravedad', 'tipo', 'causa', 'episodio'],
			...['valor', 'unidad', 'condición', 'límite', 'calidad', 'entradas', 'usuario', 'comentario'],
		],
	},
});
