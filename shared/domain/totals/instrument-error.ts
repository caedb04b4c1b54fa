/** The greatest error of an instrument: per cent of its reading, and a number in its unit. */
export type InstrumentError = readonly [percent: number, absolute: number];

/**
 * Widens the bounds of a number by the error of the readings that it is made of (shared/domain/totals/LIMITS.md#the-error-of-an-instrument). The value stays.
 * @param size what the percentage is taken of, where that may be more than the bound itself
 * @param times how often the absolute error counts
 */
export function widened<Number extends { readonly low: number | null; readonly high: number | null }>(
	number: Number,
	error: InstrumentError | undefined,
	{ size = 0, times = 1 }: { readonly size?: number; readonly times?: number } = {},
): Number {
	if (error === undefined) return number;
	const [percent, absolute] = error;
	const errorOf = (bound: number): number => (percent / 100) * Math.max(Math.abs(bound), size) + absolute * times;
	const finite = (bound: number): number | null => (Number.isFinite(bound) ? bound : null);
	const { low, high } = number;
	return {
		...number,
		low: low === null ? null : finite(low - errorOf(low)),
		high: high === null ? null : finite(high + errorOf(high)),
	};
}
