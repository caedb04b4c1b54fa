import type { PointFault, Series, SeriesFault } from '#domain/ports/time-series.ts';

/** The types of samples as bits, so that a number holds a set of types. SQLite stores such sets: never renumber them. */
export const typeBits = { float: 1, int: 2, uint: 4, bool: 8, string: 16 } as const;

/** 2^53: integers up to it are exact as numbers. */
export const maxExactInteger = 2 ** 53;

/** Time in epoch milliseconds, value, and why there is no value. */
export type SeriesPoint = readonly [timeMs: number, value: number | null, fault: PointFault | undefined];

/** Whether a set of types holds more than one type. */
export function isMixed(types: number): boolean {
	// Without its lowest bit, a set of one type is empty.
	return (types & (types - 1)) !== 0;
}

/** Returns a set of types with every type of numbers as float: floats and integers, signed or not, are counted together. */
export function comparableTypes(types: number): number {
	const numbers = typeBits.float | typeBits.int | typeBits.uint;
	return (types & numbers) === 0 ? types : (types & ~numbers) | typeBits.float;
}

/** Returns why samples of a set of types cannot be read together; undefined: they can. */
export function typeFaultOf(types: number): SeriesFault | undefined {
	if (types === typeBits.string) return 'not_numeric';
	return isMixed(comparableTypes(types)) ? 'type_changed' : undefined;
}

/** Returns the union of sets of types. */
export function unionOfTypes(sets: readonly number[]): number {
	return sets.reduce((union, types) => union | types, 0);
}

/** Whether a set of types holds integers, signed or not. */
export function hasIntegers(types: number): boolean {
	return (types & (typeBits.int | typeBits.uint)) !== 0;
}

/** Builds a series from points in any order. Points of the same time are of several tag sets, so there is no value for that time. */
export function seriesOfPoints(points: readonly SeriesPoint[], newestAt: number): Series {
	const times: number[] = [];
	const values: (number | null)[] = [];
	const faults = new Map<number, PointFault>();
	for (const [timeMs, value, ownFault] of points.toSorted(([a], [b]) => a - b)) {
		const isRepeated = times.at(-1) === timeMs;
		const fault = isRepeated ? 'several_series' : ownFault;
		if (!isRepeated) times.push(timeMs);
		const index = times.length - 1;
		values[index] = fault === undefined ? value : null;
		if (fault !== undefined) faults.set(index, fault);
	}
	return { times, values, faults, newestAt };
}
