import { scaleFraction } from './value-range.ts';

/** A vertical scale whose ends and grid lines are round numbers. */
export interface ValueScale {
	readonly min: number;
	readonly max: number;
	readonly ticks: readonly number[];
	/** Decimals of the labels of ticks. */
	readonly decimals: number;
}

/**
 * Returns a scale with round ends that contains all values. It includes zero if the values come close to zero. It includes a limit unless
 * the values would then fill less than half of the height. Values near the largest numbers have ends that are not round.
 * @param values the least and the greatest value of each series
 * @param limits thresholds of alarms
 */
export function valueScale(values: readonly number[], limits: readonly number[], mostTicks = 6): ValueScale {
	if (values.length === 0) return { min: 0, max: 1, ticks: [], decimals: 0 };
	let [low, high] = [Math.min(...values), Math.max(...values)];
	if (low === high) {
		const margin = low === 0 ? 1 : Math.abs(low) * 0.1;
		const greatest = Number.MAX_VALUE;
		[low, high] = [low === 0 ? 0 : Math.max(-greatest, low - margin), Math.min(greatest, high + margin)];
	}
	if (low > 0 && low <= high / 2) low = 0;
	if (high < 0 && high >= low / 2) high = 0;
	const span = high - low;
	for (const limit of limits.toSorted((a, b) => a - b)) {
		if (limit < low && high - limit <= 2 * span) low = limit;
		if (limit > high && limit - low <= 2 * span) high = limit;
	}
	const step = roundStep((high - low) / mostTicks);
	if (!(step > 0 && Number.isFinite(step))) return plainScale(low, high);
	const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
	const decimals = Math.min(20, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
	const at = (index: number): number => Number((index * step).toFixed(decimals));
	const [min, max, slack] = [at(first), at(last), 1e-9 * (high - low)];
	if (!(Number.isFinite(min) && Number.isFinite(max) && min < max && min <= low + slack && high - slack <= max))
		return plainScale(low, high);
	const ticks = Array.from({ length: last - first + 1 }, (_, index) => at(first + index));
	return { min, max, ticks, decimals };
}

/** Returns where a value is on the scale, as a share from the top. */
export function shareFromTop({ min, max }: ValueScale, value: number): number {
	return 1 - scaleFraction(value, min, max);
}

/** Returns a scale whose ends are the values themselves. Used for values so large that no round numbers can be calculated. */
function plainScale(low: number, high: number): ValueScale {
	const [min, max] = low < high ? [low, high] : [Math.min(0, low), Math.max(0, high)];
	return { min, max, ticks: [min, max], decimals: 0 };
}

/** Returns the smallest round step that is large enough: 1, 2 or 5 times a power of ten. */
function roundStep(atLeast: number): number {
	const power = 10 ** Math.floor(Math.log10(atLeast));
	const factor = [1, 2, 5].find((each) => each * power >= atLeast * (1 - 1e-9)) ?? 10;
	return factor * power;
}
