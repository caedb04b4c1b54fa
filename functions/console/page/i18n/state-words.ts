import { messages } from './i18n.ts';

/** The words for states on, off and unknown, by the kind of thing: a pump, a valve or a plain state. */
export const stateWords = messages({
	en: {
		pump: { off: 'Stopped', on: 'Running' },
		valve: { off: 'Closed', on: 'Open' },
		state: { off: 'Off', on: 'On' },
		unknown: 'Unknown',
	},
	es: {
		pump: { off: 'Parada', on: 'En marcha' },
		valve: { off: 'Cerrada', on: 'Abierta' },
		state: { off: 'Inactivo', on: 'Activo' },
		unknown: 'Desconocido',
	},
});
