import { language } from '#page/core/preferences.ts';
import { languages } from '#page/i18n/languages.ts';

/** What is shown where there is no number: never zero, and never the last number. */
export const noNumber = '– –';

/** The space between groups of three digits: narrow, and no line breaks there (SI brochure, section 5.4.4). */
const thinSpace = '\u202f';

/**
 * Formats a number with fixed decimals in the present language: `1 664.5`, in Spanish `1 664,5`. Numbers that have no sensible
 * digits there are in scientific notation.
 */
export function formatNumber(value: number, decimals: number): string {
	const size = Math.abs(value);
	if (size >= 1e12 || (size > 0 && size < 0.5 * 10 ** -decimals && decimals >= 6))
		return value.toExponential(3).replace('.', decimalSign());
	const text = value.toFixed(decimals);
	// A value that rounds to zero has no sign.
	const [whole = '', fraction] = (Number(text) === 0 ? text.replace('-', '') : text).split('.');
	const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, thinSpace);
	return fraction === undefined ? grouped : `${grouped}${decimalSign()}${fraction}`;
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

function decimalSign(): string {
	return languages[language.value].decimalSign;
}
