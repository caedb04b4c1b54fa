import { type Language, languages } from '#page/i18n/languages.ts';

/** A number that may be left out: null where nothing is typed, and `unreadable` stands for what is typed and is no number. */
export type TypedNumber = number | null | 'unreadable';

/** A typed number by the language's sign for decimals. */
const forms = {
	'.': /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i,
	',': /^[-+]?(?:\d+(?:,\d*)?|,\d+)(?:e[-+]?\d+)?$/i,
} as const;

/**
 * Parses a number as people type it in a language: with its sign for decimals, and nothing between thousands. The sign of the other
 * language is refused, because `1.500` would be a thousand times more or less.
 * @returns null where it is no such number
 */
export function parseTyped(typed: string, language: Language): number | null {
	const text = typed.trim().replace('−', '-');
	if (!forms[languages[language].decimalSign].test(text)) return null;
	const value = Number(text.replace(',', '.'));
	if (!Number.isFinite(value)) return null;
	// The service takes no -0.
	return value === 0 ? 0 : value;
}

/** For how many minutes an alarm can be shelved with one choice; `own` asks for a number. */
export const shelfChoices = ['15', '60', '240', 'own'] as const;

export type ShelfChoice = (typeof shelfChoices)[number];

/** The longest shelf in minutes: a week. */
const maxMinutes = 10_080;

/** Parses minutes as people type them: whole ones, from 1 to a week. Returns null for anything else. */
export function parseMinutes(typed: string): number | null {
	const text = typed.trim();
	if (!/^\d{1,5}$/.test(text)) return null;
	const minutes = Number(text);
	return minutes >= 1 && minutes <= maxMinutes ? minutes : null;
}
