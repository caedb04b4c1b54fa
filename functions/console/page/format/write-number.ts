/** The space between groups of three digits. It is narrow, and a line never breaks there (SI brochure, section 5.4.4). */
const thinSpace = '\u202f';

/**
 * Writes a number with fixed decimals and the decimal sign of a language: `1 664.5`. Scientific notation is used from a million millions
 * on, and for numbers below 0.0001 that are shown with six or more decimals, because they would lose their digits.
 */
export function writeNumber(
	value: number,
	{ decimals, decimalSign }: { readonly decimals: number; readonly decimalSign: '.' | ',' },
): string {
	const size = Math.abs(value);
	if (size >= 1e12 || (size > 0 && size < 1e-4 && decimals >= 6)) return value.toExponential(3).replace('.', decimalSign);
	const text = value.toFixed(decimals);
	// A value that rounds to zero has no sign.
	const [whole = '', fraction] = (Number(text) === 0 ? text.replace('-', '') : text).split('.');
	// Matches each place before a group of three digits, but not the beginning.
	const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, thinSpace);
	return fraction === undefined ? grouped : `${grouped}${decimalSign}${fraction}`;
}
