import type { Schemas } from '../api.ts';

type VariableHistory = Schemas['VariableHistory'];

/** The least and the greatest value of a range of time, or the two ends of a scale, in the unit of the variable. */
export interface ValueRange {
	readonly from: number;
	readonly to: number;
}

/**
 * Returns where `value` lies between `from` (0) and `to` (1). The range must not be empty. A range whose length is too large for a number
 * is halved first.
 */
export function scaleFraction(value: number, from: number, to: number): number {
	if (Number.isFinite(to - from)) return (value - from) / (to - from);
	return (value / 2 - from / 2) / (to / 2 - from / 2);
}

/** Returns the range of all values of a variable; null without any. A calculated variable has no `min` and `max`. */
export function valueRangeOf({ values }: Pick<VariableHistory, 'values'>): ValueRange | null {
	const all = [...(values.min ?? []), ...(values.max ?? []), ...(values.own ?? [])].filter((value) => value !== null);
	if (all.length === 0) return null;
	return { from: Math.min(...all), to: Math.max(...all) };
}

/** The range of values over the height of a small curve is at least 2 % of its greatest value. */
const leastShareOfValue = 0.02;

/** The range of values over the height of a small curve is at least 15 % of the range of the day. */
const leastShareOfDay = 0.15;

/**
 * Returns the least range of values over the height of an hour's curve, so that noise does not look like a swing of the plant. Around 100
 * it is 2, and more where the day's range is above 13.
 */
export function leastSpanOf(values: readonly (number | null)[], day: ValueRange | null): number {
	const greatest = values.reduce<number>((found, value) => Math.max(found, Math.abs(value ?? 0)), 0);
	return Math.max(leastShareOfValue * greatest, day === null ? 0 : leastShareOfDay * (day.to - day.from));
}

/** How far a scale extends beyond the values that it must show, as a share of their range. */
const margin = 0.1;

/** Returns the scale of a bar that shows a range, limits and a value. The scale begins at zero or above if none of them is negative. */
export function barScaleOf(range: ValueRange, others: readonly number[]): ValueRange {
	const least = Math.min(range.from, ...others);
	const greatest = Math.max(range.to, ...others);
	// Halved, because the difference of two numbers may be too large for a number.
	const beyond = 2 * margin * (greatest / 2 - least / 2);
	return {
		from: least >= 0 ? Math.max(0, least - beyond) : Math.max(-Number.MAX_VALUE, least - beyond),
		to: Math.min(Number.MAX_VALUE, greatest + beyond),
	};
}
