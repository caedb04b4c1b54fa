import { decimalsOfValue } from '#page/core/decimals.ts';
import { language } from '#page/core/preferences.ts';
import { languages } from '#page/i18n/languages.ts';
import { writeNumber } from './write-number.ts';

/** The text that is shown when there is no number. Neither zero nor an old number may take its place. */
export const noNumber = '– –';

/** Formats a number with fixed decimals in the present language: `1 664.5`, in Spanish `1 664,5`. */
export function formatNumber(value: number, { decimals }: { readonly decimals: number }): string {
	return writeNumber(value, { decimals, decimalSign: decimalSign() });
}

/**
 * Formats a value of a variable with the decimals that the values read so far need. If none of them is of its magnitude, its own magnitude
 * decides.
 */
export function formatValue(varId: number, value: number): string {
	return formatNumber(value, { decimals: decimalsOfValue(varId, value) });
}

/** Formats a number with all of its decimals. For numbers that a person typed, such as a threshold. */
export function formatExact(value: number): string {
	return String(value).replace('.', decimalSign());
}

function decimalSign(): '.' | ',' {
	return languages[language.value].decimalSign;
}
