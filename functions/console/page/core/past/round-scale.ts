import { scaleFraction } from './value-range.ts';

/** A vertical scale whose ends and grid lines are round numbers. */
export interface ValueScale {
	readonly min: number;
	readonly max: number;
	readonly ticks: readonly number[];
	/** Decimals of the labels of ticks. */
	readonly decimals: number;
}

/** The share of a step within which a number counts as round. Sums and quotients of decimal fractions are not exact. */
const tolerance = 1e-9;

/** The most decimals that `toFixed` is asked for. */
const mostDecimals = 20;

/**
 * Returns a scale with round ends that contains all values. It includes zero if the values come close to zero. It includes a limit unless
 * the values would then fill less than half of the height. Values near the largest numbers have ends that are not round.
 * @param values the least and the greatest value of each series
 * @param limits thresholds of alarms
 */
export function valueScale(values: readonly number[], limits: readonly number[], mostTicks = 6): ValueScale {
	if (values.length === 0) return { min: 0, max: 1, ticks: [], decimals: 0 };
	const [low, high] = endsOf(values, limits);
	const step = roundStep((high - low) / mostTicks);
	if (!(step > 0 && Number.isFinite(step))) return plainScale(low, high);
	const [first, last] = [Math.floor(low / step + tolerance), Math.ceil(high / step - tolerance)];
	const decimals = Math.min(mostDecimals, Math.max(0, -Math.floor(Math.log10(step) + tolerance)));
	const tickAt = (index: number): number => Number((index * step).toFixed(decimals));
	const [min, max, slack] = [tickAt(first), tickAt(last), tolerance * (high - low)];
	const areFinite = Number.isFinite(min) && Number.isFinite(max);
	// Steps that are tiny beside the numbers themselves are lost when they are rounded.
	const containsAll = min < max && min <= low + slack && high - slack <= max;
	if (!areFinite || !containsAll) return plainScale(low, high);
	const ticks = Array.from({ length: last - first + 1 }, (_, index) => tickAt(first + index));
	return { min, max, ticks, decimals };
}

/** Returns the least and the greatest value that a scale must contain. */
function endsOf(values: readonly number[], limits: readonly number[]): readonly [low: number, high: number] {
	let [low, high] = withMargin(Math.min(...values), Math.max(...values));
	// Zero is included where it is at most as far from the values as they are from each other.
	const distance = high - low;
	if (low > 0 && low <= distance) low = 0;
	if (high < 0 && -high <= distance) high = 0;
	// A limit is included if the values then still fill half of the height. Lower limits come first: what they add counts against the upper ones.
	const longest = 2 * (high - low);
	for (const limit of limits.toSorted((a, b) => a - b)) {
		if (limit < low && high - limit <= longest) low = limit;
		if (limit > high && limit - low <= longest) high = limit;
	}
	return [low, high];
}

/** Extends the ends of a single value by a tenth of it on both sides, as far as numbers go. Zero becomes 0 to 1. */
function withMargin(low: number, high: number): readonly [low: number, high: number] {
	if (low !== high) return [low, high];
	if (low === 0) return [0, 1];
	const margin = Math.abs(low) * 0.1;
	return [Math.max(-Number.MAX_VALUE, low - margin), Math.min(Number.MAX_VALUE, high + margin)];
}

/** Returns where a value is on the scale, as a share from the top. */
export function shareFromTop({ min, max }: ValueScale, value: number): number {
	return 1 - scaleFraction(value, min, max);
}

/**
 * Returns a scale whose ends are the values themselves, or zero and the value where both are the same. Used where no round numbers can be
 * calculated, as for the largest numbers.
 */
function plainScale(low: number, high: number): ValueScale {
	const [min, max] = low < high ? [low, high] : [Math.min(0, low), Math.max(0, high)];
	return { min, max, ticks: [min, max], decimals: 0 };
}

/** Returns the smallest round step that is large enough: 1, 2 or 5 times a power of ten. */
function roundStep(atLeast: number): number {
	const power = 10 ** Math.floor(Math.log10(atLeast));
	const factor = [1, 2, 5].find((some) => some * power >= atLeast * (1 - tolerance)) ?? 10;
	return factor * power;
}
