import { signal } from '@preact/signals';
import type { FieldError } from '#page/core/api.ts';
import type { Language } from '#page/core/languages.ts';
import { loadPart } from '#page/core/load.ts';
import { language } from '#page/core/preferences.ts';
import type { ProblemTexts } from './es-problems.ts';

/**
 * Creates the texts of a screen in every language. The type check demands the keys of English in each language. Call the result while
 * rendering, so that the screen follows a change of the language. A tag asks for the texts of another language than the present one.
 * @example const text = messages({ en: { title: 'Trends' }, es: { title: 'Tendencias' } });
 * const heading = <h1>{text().title}</h1>;
 */
export function messages<Texts>(
	texts: { readonly en: Texts } & Readonly<Record<Language, NoInfer<Texts>>>,
): (tag?: Language) => Texts {
	return (tag = language.value) => texts[tag];
}

/** A text with its language, for the `lang` of the element that shows it. */
export interface LocalText {
	readonly text: string;
	readonly lang: Language;
}

/** Load the sentences about errors. An error without a sentence in a language is shown with the service's English sentence. */
export const problemLoaders: Readonly<Record<Language, () => Promise<ProblemTexts>>> = {
	en: async () => (await import('./en-problems.ts')).problemTexts,
	es: async () => (await import('./es-problems.ts')).problemTexts,
};

/** The sentences about errors that are loaded. */
const loaded = signal<Readonly<Partial<Record<Language, ProblemTexts>>>>({});

/** The languages whose sentences about errors are being loaded. */
const loading = new Set<Language>();

/**
 * Returns the sentence about an error in the present language. A sentence without a translation is in English. The first error loads the
 * sentences; components that show it are rendered again after that.
 */
export function problemText({ code, message, params }: FieldError): LocalText {
	const lang = language.value;
	const texts = loaded.value[lang];
	if (texts === undefined) loadProblems(lang);
	const translate = texts?.get(code);
	return translate === undefined ? { text: message, lang: 'en' } : { text: translate(params), lang };
}

/** Loads the sentences of a language, unless that is under way. */
function loadProblems(tag: Language): void {
	if (loading.has(tag)) return;
	loading.add(tag);
	loadPart(problemLoaders[tag]).then(
		(texts) => {
			loaded.value = { ...loaded.value, [tag]: texts };
		},
		// Loading is tried again at the next error.
		() => {
			loading.delete(tag);
		},
	);
}
