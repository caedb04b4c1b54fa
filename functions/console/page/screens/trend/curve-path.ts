import type { Column, Gap } from './gaps.ts';

/** Where windows and values are in a drawing, in its own units. */
export interface CurvePlaces {
	/** The horizontal place of a window. */
	readonly x: (index: number) => number;
	/** The vertical place of a value. */
	readonly y: (value: number) => number;
}

/**
 * Returns the windows with values that belong to one line: gaps end it, empty windows that are no gap are passed over.
 *
 * @example
 * lineRuns([1, null, 2, null, null, 3], [{ kind: 'no_data', from: 3, to: 5 }]); // [[0, 2], [5]]
 */
export function lineRuns(values: Column, gaps: readonly Gap[]): readonly (readonly number[])[] {
	const ends = new Set(gaps.map(({ from }) => from));
	const runs: number[][] = [];
	let run: number[] = [];
	for (const [index, value] of values.entries()) {
		if (ends.has(index) && run.length > 0) {
			runs.push(run);
			run = [];
		}
		if (value !== null) run.push(index);
	}
	return run.length > 0 ? [...runs, run] : runs;
}

/** Returns the path of a curve. */
export function curvePath(values: Column, gaps: readonly Gap[], places: CurvePlaces): string {
	return lineRuns(values, gaps)
		.map((run) => polyline(run, values, places))
		.join('');
}

/** Returns the path of the values that stand alone between gaps: a line of one point is not seen. Drawn with round ends, they are dots. */
export function lonePointsPath(values: Column, gaps: readonly Gap[], places: CurvePlaces): string {
	return lineRuns(values, gaps)
		.filter((run) => run.length === 1)
		.map((run) => `${polyline(run, values, places)}h0`)
		.join('');
}

/** Returns the path around the area between two curves that have values in the same windows. */
export function bandPath(low: Column, high: Column, gaps: readonly Gap[], places: CurvePlaces): string {
	return lineRuns(high, gaps)
		.map((run) => {
			const back = polyline(run.toReversed(), low, places);
			return back === '' ? '' : `${polyline(run, high, places)}L${back.slice(1)}Z`;
		})
		.join('');
}

function polyline(run: readonly number[], values: Column, { x, y }: CurvePlaces): string {
	const points = run.flatMap((index) => {
		const value = values[index] ?? null;
		return value === null ? [] : [`${rounded(x(index))} ${rounded(y(value))}`];
	});
	return points.length === 0 ? '' : `M${points.join('L')}`;
}

function rounded(place: number): number {
	return Math.round(place * 10) / 10;
}
