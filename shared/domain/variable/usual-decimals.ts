/** Most decimals that the source of a value can have rounded it to. A value with more was not rounded. */
export const mostSourceDecimals = 2;

/** Decimals of a measurement whose values were all zero so far. Most flows have one decimal, and are zero while their pump stands still. */
const decimalsOfZero = 1;

/** The functions of lines that count. */
const counting: readonly string[] = ['starts', 'raised', 'readings', 'excursions'];

/**
 * Returns the decimals for a line without chosen decimals. Counts are whole numbers.
 * @param functionName the function of the line; null: not known
 */
export function usualDecimals(functionName: string | null): number {
	return counting.includes(functionName ?? '') ? 0 : 1;
}

/**
 * Returns how many decimals an absolute value is shown with: none from 1000, one from 10, two from 0.1. Smaller values have three
 * significant digits, but at most nine decimals.
 */
export function decimalsOfSize(size: number): number {
	if (size === 0) return decimalsOfZero;
	if (size >= 1000) return 0;
	if (size >= 10) return 1;
	if (size >= 0.1) return 2;
	return Math.min(9, 2 - Math.floor(Math.log10(size)));
}

/**
 * Returns the number of decimals if the source has rounded the value to one or two: 2 for -273.15. Returns 0 for a value with more
 * decimals, because it was not rounded.
 */
export function roundedDecimals(value: number): number {
	const [, fraction = ''] = /^-?\d+\.(\d+)$/.exec(String(value)) ?? [];
	return fraction.length <= mostSourceDecimals ? fraction.length : 0;
}
