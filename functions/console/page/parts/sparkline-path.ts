import { scaleFraction } from './scale-fraction.ts';

/** A line in a box of 100 by 100, with y downwards. */
export interface SparklineShape {
	/** The `d` of an SVG path; '' without a value. Each gap begins a new part. */
	readonly path: string;
	/** The newest value, null when it is missing. */
	readonly end: { readonly x: number; readonly y: number } | null;
	/** The x after which values are missing; null when the newest is there. */
	readonly missingFrom: number | null;
	/** The y of the limit. */
	readonly limitY: number | null;
}

/**
 * Draws values at even distances, oldest first. What is null or not finite is a gap, never a line across it.
 * @param leastSpan what the height of the box stands for at least, in the unit of the values: less would show noise as a swing
 */
export function sparklineOf(values: readonly (number | null)[], limit: number | null, leastSpan = 0): SparklineShape {
	const present = values.filter(isPresent);
	if (present.length === 0) return { path: '', end: null, missingFrom: 0, limitY: null };
	const shown = isPresent(limit) ? [...present, limit] : present;
	const least = shown.reduce((found, one) => Math.min(found, one));
	const greatest = shown.reduce((found, one) => Math.max(found, one));
	const margin = Math.max(0, leastSpan / 2 - (greatest / 2 - least / 2));
	const [from, to] = [least - margin, greatest + margin];
	const yOf = (value: number): number => (from === to ? 50 : rounded(100 - scaleFraction(value, from, to) * 100));
	const xOf = (index: number): number => (values.length === 1 ? 100 : rounded((index / (values.length - 1)) * 100));
	const path = values.map((value, index) => {
		if (!isPresent(value)) return '';
		const place = `${xOf(index)} ${yOf(value)}`;
		if (isPresent(values[index - 1])) return `L${place}`;
		// A part of length zero is drawn as a dot by its round ends.
		return isPresent(values[index + 1]) ? `M${place}` : `M${place}h0`;
	});
	const last = values.findLastIndex(isPresent);
	const newest = values.at(-1);
	return {
		path: path.join(''),
		end: isPresent(newest) ? { x: xOf(last), y: yOf(newest) } : null,
		missingFrom: isPresent(newest) ? null : xOf(last),
		limitY: isPresent(limit) ? yOf(limit) : null,
	};
}

function isPresent(value: number | null | undefined): value is number {
	return value !== null && Number.isFinite(value);
}

function rounded(coordinate: number): number {
	return Math.round(coordinate * 100) / 100;
}
