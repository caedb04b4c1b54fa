import { messages } from './i18n.ts';

/** The texts that editors and other later screens share. They are apart from the common ones, because the first screens do not need them. */
export const editingText = messages({
	en: {
		askDelete: 'Delete…',
		cannotWrite: { no_connection: 'No connection: nothing can be saved now.' },
		deleteTitle: (name: string) => `Delete ${name}?`,
		discard: 'Discard',
		discardAsk: 'Discard what you changed?',
		fieldsWrong: (count: number) => (count === 1 ? '1 field is wrong' : `${count} fields are wrong`),
		notSaved: 'Not saved.',
		notSavedButKept: 'Not saved. Nothing typed is lost: save again.',
		timesOf: (zone: string) => `Times of ${zone}`,
		roleNeeded: (needs: string, has: string) => `This needs the role ${needs}, and yours is ${has}: ask an administrator.`,
		roles: { viewer: 'viewer', operator: 'operator', engineer: 'engineer', administrator: 'administrator' },
		saving: 'Saving…',
		unsaved: 'not saved yet',
	},
	es: {
		askDelete: 'Borrar…',
		cannotWrite: { no_connection: 'Sin conexión: ahora no se puede guardar nada.' },
		deleteTitle: (name: string) => `¿Borrar ${name}?`,
		discard: 'Descartar',
		discardAsk: '¿Descartar lo que ha cambiado?',
		fieldsWrong: (count: number) => (count === 1 ? 'Hay 1 campo erróneo' : `Hay ${count} campos erróneos`),
		notSaved: 'No se ha guardado.',
		notSavedButKept: 'No se ha guardado. Lo escrito se conserva: guarde de nuevo.',
		timesOf: (zone: string) => `Horas de ${zone}`,
		roleNeeded: (needs, has) => `Hace falta el rol de ${needs}, y el suyo es ${has}: pregunte a un administrador.`,
		roles: { viewer: 'consulta', operator: 'operador', engineer: 'ingeniero', administrator: 'administrador' },
		saving: 'Guardando…',
		unsaved: 'sin guardar',
	},
});
