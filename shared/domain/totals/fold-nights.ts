import type { Calendar } from '../calendar/bounds.ts';
import { startOfDay } from '../calendar/days.ts';
import type { Range } from '../variable/window.ts';
import { type InstrumentError, widened } from './instrument-error.ts';
import { partsWithin, type ZonedHours } from './local-hours.ts';
import { type Signal, type Stretches, stretchesOf } from './signal.ts';
import type { BoundedValue } from './signal-values.ts';

/** How the least mean of each local day is taken. */
export interface NightsRule {
	/** The length of the stretch whose mean counts, in milliseconds. */
	readonly overMs: number;
	/** The local hours of each day in which the stretch lies; undefined: all. */
	readonly hours?: ZonedHours | undefined;
	/** The lowest and the highest value that the signal can have while it is unknown. */
	readonly range?: readonly [lo: number, hi: number];
	readonly error?: InstrumentError;
	readonly calendar: Calendar;
}

/** The least mean of one local day, which is its night. */
export interface Night {
	readonly value: number | null;
	readonly low: number | null;
	readonly high: number | null;
	/** When the stretch begins; null: some of it is unknown. */
	readonly at: number | null;
	/** The share of its counted time that is known. */
	readonly known: number;
	/** Where readings may have both signs: the greatest of them, of which the percentage of an error is taken. */
	readonly size?: number;
}

/** The nights of a window whose counted time has a stretch that is long enough. Durations are milliseconds. */
export interface NightsState {
	readonly span: number;
	readonly known: number;
	readonly nights: readonly Night[];
}

/** Takes the least mean of each local day in consecutive windows (shared/domain/totals/LIMITS.md#the-least-mean-of-a-night). */
export function foldNights(signal: Signal, rule: NightsRule, bounds: readonly number[]): readonly NightsState[] {
	const { hours, calendar, overMs } = rule;
	return bounds.slice(1).map((stop, index) => {
		const start = bounds[index] ?? stop;
		const nights: Night[] = [];
		let [span, known] = [0, 0];
		for (let day = startOfDay(start, calendar); day < stop; ) {
			const nextDay = startOfDay(day, calendar, { daysLater: 1 });
			const part = { start: Math.max(day, start), stop: Math.min(nextDay, stop) };
			const pieces = hours === undefined ? [part] : partsWithin(part, hours.between, hours.zone);
			if (pieces.some((piece) => piece.stop - piece.start >= overMs)) {
				const night = nightOf(
					pieces.map((piece) => curveOf(signal, piece)),
					rule,
				);
				const counted = pieces.reduce((sum, piece) => sum + piece.stop - piece.start, 0);
				span += counted;
				known += night.known * counted;
				nights.push(night);
			}
			day = nextDay;
		}
		return { span, known, nights };
	});
}

/** Merges the states of consecutive windows. */
export function mergeNights(earlier: NightsState, later: NightsState): NightsState {
	return {
		span: earlier.span + later.span,
		known: earlier.known + later.known,
		nights: [...earlier.nights, ...later.nights],
	};
}

/** Returns the number of a window: the median of its nights, with how many there are and how many of them have a value. */
export function nightsValue(
	{ span, known, nights }: NightsState,
	error?: InstrumentError,
): BoundedValue & { known: number | null } {
	const all = nights.map((night) => widened(night, error, { size: night.size ?? 0 }));
	const values = all.flatMap(({ value }) => value ?? []);
	const low = median(all.map((night) => night.low ?? Number.NEGATIVE_INFINITY));
	const high = median(all.map((night) => night.high ?? Number.POSITIVE_INFINITY));
	const middle = median(values);
	const at = nights.length === 1 ? nights[0]?.at : null;
	return {
		value: middle === null ? null : Math.min(Math.max(middle, low ?? middle), high ?? middle),
		low,
		high,
		known: span === 0 ? null : known / span,
		...(at === null || at === undefined ? {} : { at }),
		expected: nights.length,
		taken: values.length,
	};
}

/** Returns the median of numbers, which may be infinite; null: there is none, or it is infinite. */
export function median(numbers: readonly number[]): number | null {
	const sorted = numbers.toSorted((a, b) => a - b);
	const [a = Number.NaN, b = Number.NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
	const middle = a === b ? a : (a + b) / 2;
	return Number.isFinite(middle) ? middle : null;
}

/** A signal in a piece of time: its stretches, and before each the integral over the known time and the unknown time. */
interface Curve extends Range, Stretches {
	readonly integrals: Float64Array;
	readonly unknown: Float64Array;
}

function curveOf(signal: Signal, { start, stop }: Range): Curve {
	const { times, values } = stretchesOf(signal, { from: start, to: stop });
	const [integrals, unknown] = [new Float64Array(times.length), new Float64Array(times.length)];
	let [integral, gap] = [0, 0];
	for (let index = 0; index < values.length; index += 1) {
		const value = values[index] ?? Number.NaN;
		const duration = (times[index + 1] ?? stop) - (times[index] ?? start);
		if (Number.isNaN(value)) gap += duration;
		else integral += value * duration;
		integrals[index + 1] = integral;
		unknown[index + 1] = gap;
	}
	return { start, stop, times, values, integrals, unknown };
}

/** Returns the least mean over `overMs` in the pieces of a day. */
function nightOf(curves: readonly Curve[], { overMs, range }: NightsRule): Night {
	const seen = seenIn(curves);
	const lo = range === undefined ? Number.NEGATIVE_INFINITY : Math.min(range[0], seen.min);
	const hi = range === undefined ? Number.POSITIVE_INFINITY : Math.max(range[1], seen.max);
	// Means that differ by rounding only are equal: then the earlier one counts.
	const noise = 1e-11 * Math.max(Math.abs(seen.min), Math.abs(seen.max)) * overMs;
	const found = curves
		.filter(({ start, stop }) => stop - start >= overMs)
		.map((curve) => leastIn(curve, overMs, { lo, hi, noise }));
	const low = Math.min(...found.map((each) => each.low));
	const high = Math.min(...found.map((each) => each.high));
	const least = Math.min(...found.map((each) => each.known));
	const at = found.find(({ known }) => known <= least + noise)?.at ?? null;
	const mean = (integral: number): number | null => (Number.isFinite(integral) ? integral / overMs : null);
	const [lowest, highest] = range === undefined ? [seen.min, seen.max] : [lo, hi];
	return {
		value: seen.known === 0 ? null : mean(high),
		low: mean(low),
		high: mean(high),
		at: Number.isFinite(least) && least <= high ? at : null,
		known: seen.known / seen.span,
		...(lowest < 0 && highest > 0 && Number.isFinite(highest - lowest) ? { size: Math.max(-lowest, highest) } : {}),
	};
}

/**
 * Returns the least integrals over `overMs` in a piece: with the unknown time at `lo` and at `hi`, and of the stretches that are wholly known, with the
 * beginning of the first of those. The integral is linear in the beginning between the changes of the signal under its ends, so the least
 * one begins or ends at a change. It is one loop over plain numbers for each of both.
 */
function leastIn(
	{ start, stop, times, values, integrals, unknown }: Curve,
	overMs: number,
	{ lo, hi, noise }: { readonly lo: number; readonly hi: number; readonly noise: number },
) {
	let [low, high, known, at] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, stop];
	for (const shift of [0, overMs]) {
		/** The stretches of the signal in which the beginning and the end lie. */
		let [from, to] = [0, 0];
		for (let index = 0; index < times.length; index += 1) {
			const begin = (times[index] ?? start) - shift;
			const end = begin + overMs;
			if (begin < start) continue;
			if (end > stop) break;
			while (from + 1 < values.length && (times[from + 1] ?? stop) <= begin) from += 1;
			while ((times[to + 1] ?? stop) < end) to += 1;
			const [first, last] = [values[from] ?? Number.NaN, values[to] ?? Number.NaN];
			const past = begin - (times[from] ?? start);
			const left = end - (times[to] ?? start);
			let integral = (integrals[to] ?? 0) - (integrals[from] ?? 0);
			let gap = (unknown[to] ?? 0) - (unknown[from] ?? 0);
			if (Number.isNaN(first)) gap -= past;
			else integral -= first * past;
			if (Number.isNaN(last)) gap += left;
			else integral += last * left;
			const [least, most] = gap === 0 ? [integral, integral] : [integral + gap * lo, integral + gap * hi];
			if (least < low) low = least;
			if (most < high) high = most;
			if (gap > 0) continue;
			if (integral < known - noise || (integral <= known + noise && begin < at)) at = begin;
			if (integral < known) known = integral;
		}
	}
	return { low, high, known, at };
}

/** Returns the least and the greatest value that was seen, and for how long the signal was known. */
function seenIn(curves: readonly Curve[]) {
	let [min, max, known, span] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
	for (const { start, stop, values, unknown } of curves) {
		span += stop - start;
		known += stop - start - (unknown.at(-1) ?? 0);
		for (const value of values) {
			if (value < min) min = value;
			if (value > max) max = value;
		}
	}
	return { min, max, known, span };
}
