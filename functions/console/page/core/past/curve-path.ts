import type { Band, Column, Gap } from './windows.ts';

/** Where windows and values are in a drawing, in its own units. */
export interface CurvePlaces {
	/** The horizontal place of a window. */
	readonly x: (index: number) => number;
	/** The vertical place of a value. */
	readonly y: (value: number) => number;
}

/** The windows in which gaps begin. */
type Starts = readonly Pick<Gap, 'from'>[];

/**
 * Returns the windows of each unbroken line. A gap ends a line; empty windows that are no gap are skipped.
 *
 * @example
 * lineRuns([1, null, 2, null, null, 3], [{ from: 3 }]); // [[0, 2], [5]]
 */
export function lineRuns(values: Column, gaps: Starts): readonly (readonly number[])[] {
	const ends = new Set(gaps.map(({ from }) => from));
	const runs: number[][] = [[]];
	for (const [index, value] of values.entries()) {
		if (ends.has(index)) runs.push([]);
		if (value !== null) runs.at(-1)?.push(index);
	}
	return runs.filter((run) => run.length > 0);
}

/** The part of a path that draws a dot: a line of no length with round ends. */
const dot = 'h0';

/** Returns the path of a curve: each gap begins a new part. */
export function curvePath(values: Column, gaps: Starts, places: CurvePlaces): string {
	return pathOf(values, gaps, (run) => polyline(run, values, places));
}

/**
 * Returns the path of the values that stand alone between gaps. A line of one point is invisible, so the path draws each as a dot.
 */
export function lonePointsPath(values: Column, gaps: Starts, places: CurvePlaces): string {
	return pathOf(values, gaps, (run) => (run.length === 1 ? `${polyline(run, values, places)}${dot}` : ''));
}

/** Returns the path of a curve and its lone points in one: for lines without dashes. */
export function curveWithDots(values: Column, gaps: Starts, places: CurvePlaces): string {
	return pathOf(values, gaps, (run) => `${polyline(run, values, places)}${run.length === 1 ? dot : ''}`);
}

/** Returns the path around the area between two curves that have values in the same windows: along the upper one, and back along the lower. */
export function bandPath({ low, high }: Band, gaps: Starts, places: CurvePlaces): string {
	return pathOf(high, gaps, (run) => {
		const back = polyline(run.toReversed(), low, places);
		// The path goes on instead of beginning anew, so the `M` of the way back becomes an `L`.
		return back === '' ? '' : `${polyline(run, high, places)}L${back.slice(1)}Z`;
	});
}

/** Joins the paths of the lines between gaps. */
function pathOf(values: Column, gaps: Starts, path: (run: readonly number[]) => string): string {
	return lineRuns(values, gaps).map(path).join('');
}

/** Returns the path of straight lines through the values of a run. */
function polyline(run: readonly number[], values: Column, { x, y }: CurvePlaces): string {
	const points = run.flatMap((index) => {
		const value = values[index] ?? null;
		return value === null ? [] : [`${roundedPlace(x(index))} ${roundedPlace(y(value))}`];
	});
	return points.length === 0 ? '' : `M${points.join('L')}`;
}

/** Rounds a coordinate to two decimals, which is less than a pixel in a box of 100. */
export function roundedPlace(place: number): number {
	return Math.round(place * 100) / 100;
}
