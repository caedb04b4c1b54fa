/** The vertical scale of a pane. */
export interface ValueScale {
	readonly min: number;
	readonly max: number;
	readonly ticks: readonly number[];
	/** Decimals of the labels of ticks. */
	readonly decimals: number;
}

/**
 * Returns a scale with round ends that holds all values. Zero belongs to it where the values reach far down to it. A limit belongs to
 * it unless it would shrink the values to less than half of the height.
 * @param values the least and the greatest value of each series
 * @param limits thresholds of alarms
 */
export function valueScale(values: readonly number[], limits: readonly number[], mostTicks = 6): ValueScale {
	if (values.length === 0) return { min: 0, max: 1, ticks: [], decimals: 0 };
	let [low, high] = [Math.min(...values), Math.max(...values)];
	if (low === high) {
		const margin = low === 0 ? 1 : Math.abs(low) * 0.1;
		[low, high] = [low === 0 ? 0 : low - margin, high + margin];
	}
	if (low > 0 && low <= high / 2) low = 0;
	if (high < 0 && high >= low / 2) high = 0;
	const span = high - low;
	for (const limit of limits.toSorted((a, b) => a - b)) {
		if (limit < low && high - limit <= 2 * span) low = limit;
		if (limit > high && limit - low <= 2 * span) high = limit;
	}
	const step = roundStep((high - low) / mostTicks);
	const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
	const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
	const at = (index: number): number => Number((index * step).toFixed(Math.min(20, decimals)));
	const ticks = Array.from({ length: last - first + 1 }, (_, index) => at(first + index));
	return { min: at(first), max: at(last), ticks, decimals };
}

/** Returns where a value is on the scale, as a share from the top. */
export function shareFromTop({ min, max }: ValueScale, value: number): number {
	return (max - value) / (max - min);
}

/**
 * Moves labels apart that would cover each other. Each stays as near to its place as the others allow.
 * @param wanted places from the top
 * @param height of one label, in the same unit
 * @param room of all labels
 * @returns places in the order of `wanted`
 */
export function spreadLabels(wanted: readonly number[], height: number, room: number): readonly number[] {
	const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
	const places: number[] = [...wanted];
	let above = Number.NEGATIVE_INFINITY;
	for (const index of order) {
		above = Math.max(places[index] ?? 0, above + height, 0);
		places[index] = above;
	}
	let below = Math.max(room, order.length * height);
	for (const index of order.toReversed()) {
		below = Math.min(places[index] ?? 0, below - height);
		places[index] = below;
	}
	return places;
}

/** The next of 1, 2 and 5 times a power of ten. */
function roundStep(atLeast: number): number {
	const power = 10 ** Math.floor(Math.log10(atLeast));
	const factor = [1, 2, 5].find((each) => each * power >= atLeast * (1 - 1e-9)) ?? 10;
	return factor * power;
}
