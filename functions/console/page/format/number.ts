import { decimalsOfValue } from '#page/core/decimals.ts';
import { language } from '#page/core/preferences.ts';
import { languages } from '#page/i18n/languages.ts';
import { writeNumber } from './write-number.ts';

/** What is shown where there is no number: never zero, and never the last number. */
export const noNumber = '– –';

/** Formats a number with fixed decimals in the present language: `1 664.5`, in Spanish `1 664,5`. */
export function formatNumber(value: number, decimals: number): string {
	return writeNumber(value, decimals, decimalSign());
}

/** Formats a value of a variable: with its number of decimals, or with those that the value needs where none like it was noted. */
export function formatValue(varId: number, value: number): string {
	return formatNumber(value, decimalsOfValue(varId, value));
}

/** Formats a number with as many decimals as it needs, for what a person typed: a threshold, a limit. */
export function formatExact(value: number): string {
	return String(value).replace('.', decimalSign());
}

function decimalSign(): '.' | ',' {
	return languages[language.value].decimalSign;
}
