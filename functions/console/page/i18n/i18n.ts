import { signal } from '@preact/signals';
import type { FieldError } from '#page/core/api.ts';
import { type Language, language } from '#page/core/preferences.ts';

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

type Translations = typeof import('./es-problems.ts').problemTexts;

const spanish = signal<Translations | null>(null);

let isLoading = false;

/**
 * Returns the sentence about an error in the present language; one that has no translation in English. The first error loads the
 * translations, and what shows it is rendered again when they are there. English needs none: the service's messages are English.
 */
export function problemText({ code, message, params }: FieldError): LocalText {
	if (language.value === 'en') return { text: message, lang: 'en' };
	if (spanish.value === null) loadTranslations();
	const translate = spanish.value?.get(code);
	return translate === undefined ? { text: message, lang: 'en' } : { text: translate(params), lang: 'es' };
}

function loadTranslations(): void {
	if (isLoading) return;
	isLoading = true;
	import('./es-problems.ts').then(
		({ problemTexts }) => {
			spanish.value = problemTexts;
		},
		// The next error tries again.
		() => {
			isLoading = false;
		},
	);
}
