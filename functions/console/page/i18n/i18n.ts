import { signal } from '@preact/signals';
import type { FieldError } from '#page/core/api.ts';
import { language } from '#page/core/preferences.ts';
import type { ProblemTexts } from './es-problems.ts';
import { type Language, languages } from './languages.ts';

/**
 * Creates the texts of a screen in every language. The keys are those of English, or the types do not check. Call the result while
 * rendering: the screen follows a change of the language.
 *
 * @example
 * const text = messages({ en: { title: 'Trends' }, es: { title: 'Tendencias' } });
 * const heading = <h1>{text().title}</h1>;
 */
export function messages<Texts>(texts: { readonly en: Texts } & Readonly<Record<Language, NoInfer<Texts>>>): () => Texts {
	return () => texts[language.value];
}

/** A text with the language that it is in. The element that shows it has that `lang`. */
export interface LocalText {
	readonly text: string;
	readonly lang: Language;
}

/** The sentences about errors that are loaded. */
const loaded = signal<Readonly<Partial<Record<Language, ProblemTexts>>>>({});

const loading = new Set<Language>();

/**
 * Returns the sentence about an error in the present language; one that has no translation in English. The first error loads the
 * sentences, and what shows it is rendered again when they are there. The English ones are few: most messages of the service serve people, too.
 */
export function problemText({ code, message, params }: FieldError): LocalText {
	const lang = language.value;
	const texts = loaded.value[lang];
	if (texts === undefined) loadProblems(lang);
	const translate = texts?.get(code);
	return translate === undefined ? { text: message, lang: 'en' } : { text: translate(params), lang };
}

function loadProblems(tag: Language): void {
	if (loading.has(tag)) return;
	loading.add(tag);
	languages[tag].loadProblems().then(
		(texts) => {
			loaded.value = { ...loaded.value, [tag]: texts };
		},
		// The next error tries again.
		() => {
			loading.delete(tag);
		},
	);
}
