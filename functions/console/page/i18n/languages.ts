import type { ProblemTexts } from './es-problems.ts';

/** What the console has to know about a language, beside its texts. */
interface LanguageRow {
	/** Its own name, as the choice of languages shows it. */
	readonly name: string;
	/** The locale of dates and times, as Intl takes it. */
	readonly locale: string;
	readonly decimalSign: '.' | ',';
	/** Loads the sentences about errors. What has none in a language is said in English, as the service says it. */
	readonly loadProblems: () => Promise<ProblemTexts>;
}

const table = {
	// British English has day before month, as Spanish has.
	en: {
		name: 'English',
		locale: 'en-GB',
		decimalSign: '.',
		loadProblems: async () => (await import('./en-problems.ts')).problemTexts,
	},
	es: {
		name: 'Español',
		locale: 'es',
		decimalSign: ',',
		loadProblems: async () => (await import('./es-problems.ts')).problemTexts,
	},
} as const satisfies Readonly<Record<string, LanguageRow>>;

/** A language that the console speaks, as its tag (BCP 47). */
export type Language = keyof typeof table;

/** The languages by their tags. After a row is added, the type check names every text that the language lacks. */
export const languages: Readonly<Record<Language, LanguageRow>> = table;

/** The choices of a language, each by its own name. */
export const languageChoices: readonly { readonly value: Language; readonly label: string }[] = Object.entries(table).flatMap(
	([tag, { name }]) => (isLanguage(tag) ? [{ value: tag, label: name }] : []),
);

/** Tells whether the console speaks the language of a tag. */
export function isLanguage(tag: string): tag is Language {
	return Object.hasOwn(table, tag);
}
