import { decimalsOfValue } from '#page/core/decimals.ts';
import { numberSigns } from '#page/core/number-signs.ts';

/** The text that is shown when there is no number. Neither zero nor an old number may take its place. */
export const noNumber = '– –';

/**
 * Formats a number with fixed decimals: `1 664.5`, or `1 664,5` where numbers have a decimal comma. Scientific notation is used from a
 * million millions on, and for numbers below 0.0001 that are shown with six or more decimals, because they would lose their digits.
 */
export function formatNumber(value: number, { decimals }: { readonly decimals: number }): string {
	const { decimal, group, places } = numberSigns.value;
	const size = Math.abs(value);
	if (size >= 1e12 || (size > 0 && size < 1e-4 && decimals >= 6)) return value.toExponential(3).replace('.', decimal);
	const text = value.toFixed(decimals);
	// A value that rounds to zero has no sign.
	const [whole = '', fraction] = (Number(text) === 0 ? text.replace('-', '') : text).split('.');
	const grouped = whole.replaceAll(places, group);
	return fraction === undefined ? grouped : `${grouped}${decimal}${fraction}`;
}

/**
 * Formats a value of a variable with the decimals that the values read so far need. If none of them is of its magnitude, its own magnitude
 * decides.
 */
export function formatValue(varId: number, value: number): string {
	return formatNumber(value, { decimals: decimalsOfValue(varId, value) });
}

/** Formats a number with all of its decimals, without groups. For numbers that a person typed, such as a threshold, and for CSV. */
export function formatExact(value: number): string {
	return String(value).replace('.', numberSigns.value.decimal);
}
