import type { BoundedValue } from './signal-values.ts';

/** A number as it is shown: its bounds, and the share of the time that is known. */
interface ShownNumber extends Pick<BoundedValue, 'value' | 'low' | 'high'> {
	readonly known: number | null;
	/** Of nights: how many the window has. */
	readonly expected?: number | null | undefined;
}

/** Rounds to a number of decimals by `round`. `toPrecision` removes the noise of binary fractions, as in 0.30000000000000004. */
export function roundedTo(value: number, decimals: number, round: (value: number) => number): number {
	const scale = 10 ** decimals;
	return round(Number((value * scale).toPrecision(12))) / scale;
}

/** Returns a value as it is shown: a percentage within limits is rounded down, because 94.96 % is not 95.0 % (LIMITS.md). */
export function shownValue(value: number, lineFunction: string | null, decimals: number): number {
	return lineFunction === 'within' ? roundedTo(value, decimals, Math.floor) : value;
}

/**
 * Whether a value is an upper bound: the least mean of a night of which a part is not known. No known hour was less, and an unknown one may
 * have been.
 */
export function isAtMost({ value, known, low, high, expected }: ShownNumber, lineFunction: string | null): boolean {
	if (lineFunction !== 'leastMean' || value === null || known === null || known >= 1 || value === low || high === null)
		return false;
	// The error of the instrument is beyond the value of a night. The median of several nights is one only where it meets its bound.
	return expected === 1 || value >= high;
}
