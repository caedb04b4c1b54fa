/** The value of each tick of a signal from tick 0 on; null where it is unknown. */
export type TickValues = readonly (number | null)[];

/** Limits: the least and the greatest value within; null: there is none. */
export type OracleLimits = readonly [number | null, number | null];

/** Whether a value is outside of limits: the rule L1, literally. */
export const isOutside = (value: number, [least, greatest]: OracleLimits): boolean =>
	(least !== null && value < least) || (greatest !== null && value > greatest);

/** A number that an oracle tells of a window; null: there is none. */
export type OracleNumber = number | null;

/** Hours of some ticks. */
const hoursOf = (ticks: number, ticksPerHour: number): number => ticks / ticksPerHour;

/** The share of known ticks within limits, in per cent. `ticks`: those that count. */
export function withinOracle(values: TickValues, ticks: readonly number[], limits: OracleLimits): OracleNumber {
	const known = ticks.flatMap((tick) => values[tick] ?? []);
	return known.length === 0 ? null : (100 * known.filter((value) => !isOutside(value, limits)).length) / known.length;
}

/** The hours outside. */
export const onTimeOracle = (values: TickValues, ticks: readonly number[], limits: OracleLimits, ticksPerHour: number) =>
	hoursOf(ticks.filter((tick) => isOutside(values[tick] ?? Number.NaN, limits)).length, ticksPerHour);

/** The longest run of ticks that are known to be outside, in hours, with its first tick; null: there is none. */
export function longestOracle(values: TickValues, ticks: readonly number[], limits: OracleLimits, ticksPerHour: number) {
	let [best, at]: [number, number | null] = [0, null];
	for (const [index, start] of ticks.entries()) {
		let length = 0;
		while (index + length < ticks.length && isOutside(values[start + length] ?? Number.NaN, limits)) length += 1;
		if (length > best) [best, at] = [length, start];
	}
	return { hours: hoursOf(best, ticksPerHour), at };
}

/**
 * How many stretches outside have lasted for `forTicks` at a moment in (from, to]. A stretch ends where it is within or unknown, and at the beginning
 * of each tick in `breaks`: there the signal was within for no time.
 */
export function excursionsOracle(
	values: TickValues,
	[from, to]: readonly [number, number],
	limits: OracleLimits,
	forTicks: number,
	breaks: ReadonlySet<number> = new Set(),
): number {
	let [count, length] = [0, 0];
	for (let tick = 0; tick < to; tick += 1) {
		if (breaks.has(tick)) length = 0;
		length = isOutside(values[tick] ?? Number.NaN, limits) ? length + 1 : 0;
		if (length === forTicks && tick + 1 > from) count += 1;
	}
	return count;
}

/** The readings at some ticks: how many were taken, and how many of those are within. */
export function readingsOracle(values: TickValues, slots: readonly number[], limits: OracleLimits) {
	const taken = slots.flatMap((tick) => values[tick] ?? []);
	return { expected: slots.length, taken: taken.length, within: taken.filter((value) => !isOutside(value, limits)).length };
}

/** The least mean over a number of known ticks in a row, with the first tick; null: there are not so many. */
export function leastMeanOracle(values: TickValues, ticks: readonly number[], overTicks: number) {
	let [mean, at]: [number | null, number | null] = [null, null];
	for (const [index, start] of ticks.entries()) {
		// Ticks in a row are one piece of the counted time.
		if (ticks[index + overTicks - 1] !== start + overTicks - 1) continue;
		const stretch = values.slice(start, start + overTicks).flatMap((value) => value ?? []);
		const each = stretch.length < overTicks ? null : stretch.reduce((sum, value) => sum + value, 0) / overTicks;
		if (each !== null && (mean === null || each < mean - 1e-9)) [mean, at] = [each, start];
	}
	return { mean, at };
}
