import { messages } from './i18n.ts';

/** The words of states by what they are states of, and of a state that is not known. */
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
