import { messages } from '#page/i18n/i18n.ts';

/** The texts of the preferences. */
export const preferenceText = messages({
	en: {
		sound: 'Sounds for alarms, until they are acknowledged',
		testSound: 'Test the three sounds',
		notices: 'Notices of the desktop for alarms',
		noticesRefused: 'The browser refuses notices of this page. Its settings can allow them.',
		signedInAs: 'Signed in as',
		signOut: 'Sign out',
		numbers: 'Numbers',
		numberStyles: { region: 'By region', '.': '1\u202f234.5', ',': '1\u202f234,5' },
		theme: 'Theme',
		zoneHint: (browser: string) => `UTC, or a name such as Europe/Madrid. Empty: the browser’s, ${browser}.`,
		zoneUnknown: 'There is no such time zone: choose one of the list.',
		letterKeys: 'Single letters act as shortcuts',
		wall: 'Show as a wall',
	},
	es: {
		sound: 'Sonidos de las alarmas, hasta que se reconozcan',
		testSound: 'Probar los tres sonidos',
		notices: 'Avisos de escritorio de las alarmas',
		noticesRefused: 'El navegador no permite avisos de esta página. Sus ajustes pueden permitirlos.',
		signedInAs: 'Sesión de',
		signOut: 'Cerrar sesión',
		numbers: 'Números',
		numberStyles: { region: 'Según la región', '.': '1\u202f234.5', ',': '1\u202f234,5' },
		theme: 'Tema',
		zoneHint: (browser: string) => `UTC, o un nombre como Europe/Madrid. Vacía: la del navegador, ${browser}.`,
		zoneUnknown: 'No existe esa zona horaria: elija una de la lista.',
		letterKeys: 'Las letras sueltas son atajos',
		wall: 'Mostrar como pantalla mural',
	},
});
