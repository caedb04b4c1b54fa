import { effect, type Signal, signal } from '@preact/signals';
import { isLanguage, type Language } from './languages.ts';
import { kept } from './storage.ts';

/** The intervals between two polls that a person may choose, in seconds. */
export const pollSeconds = [10, 30, 60] as const;

/** The language: chosen, or the browser's at the first visit. */
export const language = preference<Language>('language', {
	byDefault: browserLanguage(),
	parse: (text) => (isLanguage(text) ? text : null),
});

/** How numbers are written: by the browser's region, or with a decimal sign that a person chose. */
export const numberStyle = preference<'region' | '.' | ','>('numbers', {
	byDefault: 'region',
	parse: (text) => (text === 'region' || text === '.' || text === ',' ? text : null),
});

/** The theme; `system` follows the system's setting. */
export const theme = preference<'system' | 'light' | 'dark'>('theme', {
	byDefault: 'system',
	parse: (text) => (text === 'light' || text === 'dark' || text === 'system' ? text : null),
});

/** The seconds between two polls. */
export const interval = preference<number>('interval', {
	byDefault: 30,
	parse: (text) => pollSeconds.find((seconds) => String(seconds) === text) ?? null,
});

/** Whether single letters act as shortcuts (WCAG 2.1.4). */
export const letterKeys = preference<boolean>('letter-keys', { byDefault: true, parse: parseBoolean });

/** Whether alarms are heard. */
export const soundOn = preference<boolean>('sound', { byDefault: false, parse: parseBoolean });

/** Whether alarms are shown as notices of the desktop. */
export const noticesOn = preference<boolean>('notices', { byDefault: false, parse: parseBoolean });

/** Writes language and theme to the document as they change. Without an attribute for the theme, the style follows the system. */
export function applyPreferences(): void {
	effect(() => {
		document.documentElement.lang = language.value;
	});
	effect(() => {
		if (theme.value === 'system') delete document.documentElement.dataset['theme'];
		else document.documentElement.dataset['theme'] = theme.value;
	});
}

/** Creates a signal whose value this browser stores, even while it is the default. A stored text that `parse` refuses counts as absent. */
export function preference<Value extends string | number | boolean>(
	name: string,
	{ byDefault, parse }: { readonly byDefault: Value; readonly parse: (text: string) => Value | null },
): Signal<Value> {
	const key = `caudal.${name}`;
	const stored = kept.read(key);
	const value = signal<Value>((stored === null ? null : parse(stored)) ?? byDefault);
	effect(() => kept.write(key, String(value.value)));
	return value;
}

function parseBoolean(text: string): boolean | null {
	if (text === 'true') return true;
	return text === 'false' ? false : null;
}

/** Returns the first language of the browser's list that the console has; English without one. */
function browserLanguage(): Language {
	for (const tag of navigator.languages) {
		// The tag may name a country, too: `es-MX`.
		const [code = ''] = tag.split('-');
		if (isLanguage(code)) return code;
	}
	return 'en';
}
