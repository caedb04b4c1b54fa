/**
 * A sum of floats with the rounding error that it carries, after Neumaier (Zeitschrift für Angewandte Mathematik und Mechanik 54, 1974).
 * Sums can be added: the sum of a month equals that of its days to 1e-12 of the sum of magnitudes.
 */
export interface ExactSum {
	readonly sum: number;
	readonly error: number;
}

/** The empty sum. */
export const noSum: ExactSum = { sum: 0, error: 0 };

/** Returns the rounding error of `sum + term`. `rounded` is their sum as a float. */
export function roundingError(sum: number, term: number, rounded: number): number {
	return Math.abs(sum) >= Math.abs(term) ? sum - rounded + term : term - rounded + sum;
}

/** Adds two sums. */
export function addSums(a: ExactSum, b: ExactSum): ExactSum {
	const sum = a.sum + b.sum;
	return { sum, error: a.error + b.error + roundingError(a.sum, b.sum, sum) };
}

/** Returns the value of a sum; NaN or infinite after an overflow. */
export function valueOfSum({ sum, error }: ExactSum): number {
	return sum + error;
}
