import { bandPath, curveWithDots, roundedPlace } from '#page/core/past/curve-path.ts';
import { scaleFraction } from '#page/core/past/value-range.ts';
import { type Band, type Column, equalRuns } from '#page/core/past/windows.ts';

/** The parts of a sparkline, in a box of 100 by 100 units with y downwards. */
export interface SparklineShape {
	/** The `d` of an SVG path; '' without a value. Each gap begins a new part. */
	readonly path: string;
	/** The `d` of the area between the least and the greatest values; '' when it would have no height. */
	readonly band: string;
	/** The place of the newest value; null when it is missing. */
	readonly end: { readonly x: number; readonly y: number } | null;
	/** The x after which values are missing; null when the newest value is there. */
	readonly missingFrom: number | null;
	/** The y of the limit. */
	readonly limitY: number | null;
}

/** Further data that a sparkline shows beside its values. */
interface SparklineExtent {
	/** The least and the greatest value of each place; null where they are not known. */
	readonly band?: Band | null | undefined;
	readonly limit?: number | null | undefined;
	/** The least range of values over the height of the box, in the unit of the values. With less, noise would look like a swing. */
	readonly leastSpan?: number | undefined;
}

/** Returns the sparkline of values at even distances, oldest first. Null and values that are not finite are gaps. */
export function sparklineOf(values: Column, { band = null, limit = null, leastSpan = 0 }: SparklineExtent = {}): SparklineShape {
	const column = values.map((value) => (isPresent(value) ? value : null));
	const present = column.filter(isPresent);
	if (present.length === 0) return { path: '', band: '', end: null, missingFrom: 0, limitY: null };
	const shown = [...present, ...(band?.low ?? []), ...(band?.high ?? []), limit].filter(isPresent);
	// `reduce`, because `Math.min` takes only so many arguments.
	const least = shown.reduce((found, value) => Math.min(found, value));
	const greatest = shown.reduce((found, value) => Math.max(found, value));
	// Halved before they are subtracted, because the difference of two very large numbers would be infinite.
	const margin = Math.max(0, leastSpan / 2 - (greatest / 2 - least / 2));
	const [from, to] = [least - margin, greatest + margin];
	// Equal values are drawn in the middle, and a single value is the newest one, at the right.
	const y = (value: number): number => (from === to ? 50 : roundedPlace(100 - scaleFraction(value, from, to) * 100));
	const x = (index: number): number => (column.length === 1 ? 100 : roundedPlace((index / (column.length - 1)) * 100));
	const gaps = equalRuns(column.map(isPresent)).filter(({ of: isKnown }) => !isKnown);
	const last = x(column.findLastIndex(isPresent));
	const newest = column.at(-1);
	const hasHeight = band?.low.some((low, index) => low !== band.high[index]) === true;
	return {
		path: curveWithDots(column, gaps, { x, y }),
		band: band !== null && hasHeight ? bandPath(band, gaps, { x, y }) : '',
		end: isPresent(newest) ? { x: last, y: y(newest) } : null,
		missingFrom: isPresent(newest) ? null : last,
		limitY: isPresent(limit) ? y(limit) : null,
	};
}

function isPresent(value: number | null | undefined): value is number {
	return value !== null && Number.isFinite(value);
}
