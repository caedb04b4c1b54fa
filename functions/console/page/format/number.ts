import { language } from '#page/core/preferences.ts';
import { languages } from '#page/i18n/languages.ts';
import { writeNumber } from './write-number.ts';

/** What is shown where there is no number: never zero, and never the last number. */
export const noNumber = '– –';

/** Formats a number with fixed decimals in the present language: `1 664.5`, in Spanish `1 664,5`. */
export function formatNumber(value: number, decimals: number): string {
	return writeNumber(value, decimals, decimalSign());
}

/** Formats a number with as many decimals as it needs, for what a person typed: a threshold, a limit. */
export function formatExact(value: number): string {
	return String(value).replace('.', decimalSign());
}

/** Returns how many decimals values are shown with: none for whole ones, otherwise those of the largest magnitude. Two where all are zero. */
export function decimalsOf(values: Iterable<number | null>): number {
	let size = 0;
	let areWhole = true;
	for (const value of values) {
		if (value === null) continue;
		size = Math.max(size, Math.abs(value));
		areWhole &&= Number.isInteger(value);
	}
	if (size === 0) return 2;
	return areWhole ? 0 : decimalsOfSize(size);
}

/** Returns how many decimals a magnitude above zero is shown with: none from a thousand, one from ten, two from a tenth, three digits below. */
export function decimalsOfSize(size: number): number {
	if (size >= 1000) return 0;
	if (size >= 10) return 1;
	if (size >= 0.1) return 2;
	return Math.min(9, 2 - Math.floor(Math.log10(size)));
}

function decimalSign(): '.' | ',' {
	return languages[language.value].decimalSign;
}
