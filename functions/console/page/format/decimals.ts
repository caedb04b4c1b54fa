import { decimalsOf } from './number.ts';

const largest = new Map<number, number[]>();

/**
 * Notes values that a variable has had. Its number of decimals follows from all of them, so digits do not dance: it changes only
 * when a larger magnitude, or the first fraction, is seen.
 */
export function noteValues(varId: number, values: Iterable<number | null>): void {
	const seen = largest.get(varId) ?? [];
	const all = [...seen, ...values].filter((value) => value !== null);
	if (all.length === 0) return;
	const size = Math.max(...all.map(Math.abs));
	const fraction = all.find((value) => !Number.isInteger(value));
	largest.set(varId, fraction === undefined ? [size] : [size, fraction]);
}

/** Forgets the values of all variables: another tenant's have the same ids. */
export function forgetValues(): void {
	largest.clear();
}

/** Returns how many decimals a variable is shown with. */
export function decimalsOfVariable(varId: number): number {
	return decimalsOf(largest.get(varId) ?? []);
}
