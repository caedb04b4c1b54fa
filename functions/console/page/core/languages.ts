/** The facts about a language that the console needs, beside the texts in it. */
interface LanguageRow {
	/** The name of the language in the language itself, for the choice of languages. */
	readonly name: string;
	/** The locale of dates and times, as Intl takes it. */
	readonly locale: string;
}

/** The languages. `Language` is derived from this table. */
const table = {
	// British English has day before month, as Spanish has.
	en: {
		name: 'English',
		locale: 'en-GB',
	},
	es: {
		name: 'Español',
		locale: 'es',
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

/** Returns whether the console has texts in the language of a tag. */
export function isLanguage(tag: string): tag is Language {
	return Object.hasOwn(table, tag);
}
