import { median, type NightsState, nightsValue } from './fold-nights.ts';
import type { InstrumentError } from './instrument-error.ts';
import type { BoundedValue } from './signal-values.ts';

/** A number with its bounds. */
type Bounded = Pick<BoundedValue, 'value' | 'low' | 'high'>;

/** The number of nights with which others are compared. */
export interface ReferenceNumber extends Bounded {
	/** How far nights usually are from it; null: none has a value. */
	readonly spread: number | null;
	/** Number of nights with a value. */
	readonly taken: number;
}

/** How far a number is above a reference, in its unit and in per cent. */
export interface Rise extends Bounded {
	readonly percent: Bounded;
}

/** Makes a median distance the standard deviation of numbers that are spread normally. */
const perMedianDistance = 1.4826;

/** Returns the number of reference nights (shared/domain/totals/LIMITS.md#reference-nights). */
export function referenceOf(state: NightsState, error?: InstrumentError): ReferenceNumber {
	const { value, low, high, taken = 0 } = nightsValue(state, error);
	const distances =
		value === null ? [] : state.nights.flatMap((night) => (night.value === null ? [] : Math.abs(night.value - value)));
	const distance = median(distances);
	return { value, low, high, spread: distance === null ? null : perMedianDistance * distance, taken };
}

/** Returns how far a number is above a reference. */
export function riseOf(number: Bounded, reference: Bounded): Rise {
	const { value, low, high } = reference;
	return {
		value: differenceOf(number.value, value),
		low: differenceOf(number.low, high),
		high: differenceOf(number.high, low),
		percent: {
			value: value !== null && value > 0 ? percentOf(number.value, [value]) : null,
			// A quotient by what may be 0 has no bounds.
			low: low !== null && low > 0 ? percentOf(number.low, [low, high], Math.min) : null,
			high: low !== null && low > 0 ? percentOf(number.high, [low, high], Math.max) : null,
		},
	};
}

const differenceOf = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a - b);

/**
 * Returns by how many per cent a number is above references. Of several, `pick` decides: a number below 0 is nearest to 0 over the greatest.
 * An infinite reference makes the quotient 0.
 */
function percentOf(
	number: number | null,
	references: readonly (number | null)[],
	pick: (...quotients: number[]) => number = Math.max,
): number | null {
	if (number === null) return null;
	return 100 * (pick(...references.map((reference) => (reference === null ? 0 : number / reference))) - 1);
}
