import { type Language, languages } from '#page/i18n/languages.ts';

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
