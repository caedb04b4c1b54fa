import type { Band, Column } from '#page/core/past/windows.ts';

/** A curve over a whole range. */
export interface CurveSummary {
	readonly min: number;
	/** The mean of the windows, weighted by their length. */
	readonly mean: number;
	readonly max: number;
}

/** A state over a whole range. */
export interface StripSummary {
	/** The share of time in which it was on, over the windows with values. */
	readonly share: number;
	/** How often it was on in a window after one in which it was off. Further changes within a window are not counted. */
	readonly starts: number;
}

/** Summarises a curve; null without values. If the curve has a band, the extremes are those of the band. */
export function curveSummary(values: Column, band: Band | null, bounds: readonly number[]): CurveSummary | null {
	const lows = numbersIn(band?.low ?? values);
	const highs = numbersIn(band?.high ?? values);
	const mean = weightedMean(values, bounds);
	if (mean === null || lows.length === 0 || highs.length === 0) return null;
	return { min: Math.min(...lows), mean, max: Math.max(...highs) };
}

/** Summarises a state; null without values. */
export function stripSummary(values: Column, bounds: readonly number[]): StripSummary | null {
	const share = weightedMean(values, bounds);
	if (share === null) return null;
	let starts = 0;
	let previous: number | null = null;
	for (const value of values) {
		if (value === null) continue;
		if (previous === 0 && value > 0) starts += 1;
		previous = value;
	}
	return { share, starts };
}

/** Returns the values of a column that are known. */
export function numbersIn(values: Column): number[] {
	return values.filter((value) => value !== null);
}

/** Returns the mean of windows, weighted by their length; null without values. */
function weightedMean(values: Column, bounds: readonly number[]): number | null {
	let sum = 0;
	let totalMs = 0;
	for (const [index, value] of values.entries()) {
		if (value === null) continue;
		const lengthMs = (bounds[index + 1] ?? 0) - (bounds[index] ?? 0);
		sum += value * lengthMs;
		totalMs += lengthMs;
	}
	return totalMs === 0 ? null : sum / totalMs;
}
