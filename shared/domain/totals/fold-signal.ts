import { addSums, type ExactSum, roundingError } from './exact-sum.ts';
import { countBefore, isAcrossHandover, isWide, newestNumberBefore, type Signal } from './signal.ts';

/**
 * The state of a signal in a window [a, b). States of consecutive windows can be merged. Times are epoch milliseconds, durations
 * milliseconds.
 */
export interface SignalState {
	readonly from: number;
	/** Duration of the window. */
	readonly span: number;
	/** For how long the signal was known. */
	readonly known: number;
	/** Integral over the known time, in the signal's unit times milliseconds. */
	readonly integral: ExactSum;
	/** Least and greatest value that the signal had, each with the first time; null where it was never known. */
	readonly min: Extreme | null;
	readonly max: Extreme | null;
	/** For how long the signal was known to be on. */
	readonly on: number;
	/** When it was first known to be on; left out where it never was, and in days of reports that were stored before it was told. */
	readonly firstOn?: number;
	/** Changes from off to on between consecutive samples with a number, each counted at the later one. */
	readonly starts: number;
	/** Whether there is a sample with a number before the beginning: without one, it is unknown whether the first sample is a start. */
	readonly hasBase: boolean;
	/**
	 * The pair of samples around the window's beginning, if it is wide: the signal is unknown at some time between the two (`isWide`). `at`
	 * is the time of the earlier one, `starts` what the pair adds to `starts` of the state. Whether such a start was before the window is
	 * not known, so the lower bound leaves it out, and there is no upper bound.
	 */
	readonly over: { readonly at: number; readonly starts: number } | null;
	/** The source changed between two samples in the window. Whether that was a start is not known: there is no upper bound of starts. */
	readonly isHandedOver?: true;
}

/** A value with the first time at which the signal had it. */
export interface Extreme {
	readonly value: number;
	readonly at: number;
}

/** When a signal is on: above one value or below another, as outside of limits; without both: where it is not 0. */
export interface OnRule {
	readonly above?: number | undefined;
	readonly below?: number | undefined;
}

/** Tells whether a signal of a value is on. */
export function isOnAt(value: number, { above, below }: OnRule): boolean {
	if (above === undefined && below === undefined) return value !== 0;
	return (above !== undefined && value > above) || (below !== undefined && value < below);
}

/**
 * Folds a signal over consecutive windows, in one pass (shared/domain/totals/README.md#states).
 * @param bounds n + 1 ascending epoch milliseconds: window i is [bounds[i], bounds[i + 1])
 * @returns a state for each window
 * @example
 * foldSignal(createSignal(Float64Array.of(0, 60_000), Float64Array.of(1, 0), 120_000), [0, 60_000, 120_000]);
 */
export function foldSignal(signal: Signal, bounds: readonly number[], onRule: OnRule = {}): readonly SignalState[] {
	const next = countBefore(signal.times, bounds[0] ?? 0);
	const cursor = { next, before: newestNumberBefore(signal.values, next) };
	return bounds.slice(1).map((to, index) => foldWindow(signal, { from: bounds[index] ?? to, to, onRule }, cursor));
}

/**
 * Merges the states of consecutive windows. Times, counts and extremes are exactly those of the whole window.
 * @param earlier ends where `later` begins
 */
export function mergeSignalStates(earlier: SignalState, later: SignalState): SignalState {
	const { min, max } = earlier;
	const { firstOn } = earlier.on > 0 ? earlier : later;
	return {
		from: earlier.from,
		span: earlier.span + later.span,
		known: earlier.known + later.known,
		integral: addSums(earlier.integral, later.integral),
		min: min === null || (later.min !== null && later.min.value < min.value) ? later.min : min,
		max: max === null || (later.max !== null && later.max.value > max.value) ? later.max : max,
		on: earlier.on + later.on,
		...(firstOn === undefined ? {} : { firstOn }),
		starts: earlier.starts + later.starts,
		hasBase: earlier.hasBase,
		// One pair lies around the beginnings of both windows where `earlier` has no sample with a number.
		over: earlier.over ?? (later.over !== null && later.over.at < earlier.from ? later.over : null),
		...(earlier.isHandedOver || later.isHandedOver ? { isHandedOver: true } : {}),
	};
}

/** The place of the fold between two windows: the position of the next sample, and of the newest sample with a number before it. */
interface Cursor {
	next: number;
	before: number;
}

/** A window [from, to), and when the signal is on. */
interface FoldedWindow {
	readonly from: number;
	readonly to: number;
	readonly onRule: OnRule;
}

/** Folds one window. It is one loop over plain numbers: it runs once for each sample of a year. */
function foldWindow(signal: Signal, { from, to, onRule }: FoldedWindow, cursor: Cursor): SignalState {
	const { times, values, holdMs } = signal;
	let { before } = cursor;
	const hasBase = before >= 0;
	let [known, on, starts, sum, error] = [0, 0, 0, 0, 0];
	let [min, minAt, max, maxAt] = [Number.POSITIVE_INFINITY, 0, Number.NEGATIVE_INFINITY, 0];
	let firstOn = 0;
	let over: SignalState['over'] = null;
	let isHandedOver = false;
	// Starts at the sample before the next one, because its value holds at the beginning.
	let position = Math.max(0, cursor.next - 1);
	for (; position < times.length; position += 1) {
		const time = times[position] ?? to;
		if (time >= to) break;
		const value = values[position] ?? Number.NaN;
		if (Number.isNaN(value)) continue;
		const isOn = isOnAt(value, onRule);
		if (position >= cursor.next) {
			const isAcross = signal.handovers !== undefined && before >= 0 && isAcrossHandover(signal, before, position);
			isHandedOver ||= isAcross;
			const isStart = isOn && before >= 0 && !isAcross && !isOnAt(values[before] ?? Number.NaN, onRule);
			if (isStart) starts += 1;
			const previousTime = times[before] ?? from;
			if (previousTime < from && isWide(signal, before, position)) over = { at: previousTime, starts: isStart ? 1 : 0 };
			before = position;
		}
		const since = Math.max(from, time);
		const duration = Math.min(times[position + 1] ?? to, time + holdMs, to) - since;
		if (duration <= 0) continue;
		const rounded = sum + value * duration;
		error += roundingError(sum, value * duration, rounded);
		sum = rounded;
		known += duration;
		if (isOn) {
			if (on === 0) firstOn = since;
			on += duration;
		}
		if (value < min) {
			min = value;
			minAt = since;
		}
		if (value > max) {
			max = value;
			maxAt = since;
		}
	}
	cursor.next = Math.max(cursor.next, position);
	cursor.before = before;
	const extreme = (value: number, at: number): Extreme | null => (known > 0 ? { value, at } : null);
	return {
		from,
		span: to - from,
		known,
		on,
		...(on > 0 ? { firstOn } : {}),
		starts,
		hasBase,
		over,
		integral: { sum, error },
		min: extreme(min, minAt),
		max: extreme(max, maxAt),
		...(isHandedOver ? { isHandedOver } : {}),
	};
}
