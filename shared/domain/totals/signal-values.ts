import { hourMs } from '../milliseconds.ts';
import { valueOfSum } from './exact-sum.ts';
import type { Extreme, SignalState } from './fold-signal.ts';
import { type InstrumentError, widened } from './instrument-error.ts';

/** A number of a window, with bounds for the true number; null when unknown (shared/domain/totals/README.md#known-time-and-bounds). */
export interface BoundedValue {
	readonly value: number | null;
	readonly low: number | null;
	readonly high: number | null;
	/** The first time of a least or greatest value, or of one outside of limits, in epoch milliseconds. */
	readonly at?: number;
	/** Of the longest stretch: whether it touches the beginning and the end of the window. */
	readonly cut?: readonly [begin: boolean, end: boolean];
	/** Of readings: how many were due, and how many of them were taken. */
	readonly expected?: number;
	readonly taken?: number;
	/** The value is beyond what a number can hold. */
	readonly fault?: 'overflow';
}

/** What a function needs besides the state of the window. */
export interface SignalRule {
	/** The time unit of a rate, in milliseconds. Only `total` needs it. */
	readonly perMs?: number;
	/** The lowest and the highest value that the signal can have while it is unknown. */
	readonly range?: readonly [lo: number, hi: number];
	/** The greatest error of the instrument, by which bounds are wider. */
	readonly error?: InstrumentError;
}

/** The functions of a signal over a window. */
export const signalFunctions = {
	// `perMs` is there for each total; 1 only satisfies the type.
	total: (state, rule) => integralOver(state, rule, { divisor: rule.perMs ?? 1, boundsDivisor: rule.perMs ?? 1 }),
	mean: (state, rule) => integralOver(state, rule, { divisor: state.known, boundsDivisor: state.span }),
	onTime: ({ known, span, on, firstOn }) => ({
		value: on / hourMs,
		low: on / hourMs,
		high: (on + span - known) / hourMs,
		...(firstOn === undefined ? {} : { at: firstOn }),
	}),
	// Per cent of the known time. On is outside of the limits.
	within: ({ known, span, on }) => ({
		value: (100 * (known - on)) / known,
		low: (100 * (known - on)) / span,
		high: (100 * (span - on)) / span,
	}),
	starts: ({ known, span, starts, hasBase, over, isHandedOver }) => ({
		value: starts,
		low: starts - (over?.starts ?? 0),
		high: known === span && hasBase && over === null && !isHandedOver ? starts : null,
	}),
	// What was seen bounds one side, also where no range bounds the other.
	min: (state, rule) => {
		const range = rangeOf(state, rule);
		return { ...extremeOf(state.min), low: range?.lo ?? null, high: state.min?.value ?? range?.hi ?? null };
	},
	max: (state, rule) => {
		const range = rangeOf(state, rule);
		return { ...extremeOf(state.max), low: state.max?.value ?? range?.lo ?? null, high: range?.hi ?? null };
	},
} as const satisfies Record<string, (state: SignalState, rule: SignalRule) => BoundedValue>;

/** The name of a function of a signal. */
export type SignalFunction = keyof typeof signalFunctions;

/**
 * Returns a function's value over a window, with bounds for the true value. The value is null, not 0, when the signal was never known;
 * its bounds can still be known.
 */
export function signalValue(name: SignalFunction, state: SignalState, rule: SignalRule): BoundedValue {
	const result: BoundedValue = signalFunctions[name](state, rule);
	const finite = (bound: number | null): number | null => (bound !== null && Number.isFinite(bound) ? bound : null);
	if (state.known > 0 && result.value !== null && !Number.isFinite(result.value))
		return { value: null, low: null, high: null, fault: 'overflow' };
	const number = {
		...result,
		value: state.known === 0 ? null : result.value,
		low: finite(result.low),
		high: finite(result.high),
	};
	return rule.error === undefined ? number : widened(number, rule.error, errorPlace(name, state, rule));
}

/**
 * Returns what the error of an instrument is taken of. An integral of a signal with both signs is less than what its readings add up to: then the
 * percentage is that of the greatest reading for all of the time.
 */
function errorPlace(name: SignalFunction, state: SignalState, rule: SignalRule): Parameters<typeof widened>[2] {
	const times = name === 'total' ? state.span / (rule.perMs ?? 1) : 1;
	const range = rangeOf(state, rule);
	const hasBothSigns = (name === 'total' || name === 'mean') && range !== null && range.lo < 0 && range.hi > 0;
	return { times, size: hasBothSigns ? Math.max(-range.lo, range.hi) * times : 0 };
}

/**
 * Returns the integral over the known time divided by `divisor`. The bounds take in the unknown time, as if the signal had been at an end
 * of its range for all of it, and are divided by `boundsDivisor`.
 */
function integralOver(
	state: SignalState,
	rule: SignalRule,
	{ divisor, boundsDivisor }: { readonly divisor: number; readonly boundsDivisor: number },
): BoundedValue {
	const integral = valueOfSum(state.integral);
	const unknown = state.span - state.known;
	const value = integral / divisor;
	if (unknown === 0) return { value, low: value, high: value };
	const range = rangeOf(state, rule);
	return {
		value,
		low: range && (integral + unknown * range.lo) / boundsDivisor,
		high: range && (integral + unknown * range.hi) / boundsDivisor,
	};
}

/**
 * Returns the lowest and the highest value of the signal. Unless it was always known, the rule's range counts, too.
 * @returns null when they are unknown
 */
function rangeOf({ known, span, min, max }: SignalState, { range }: SignalRule): { lo: number; hi: number } | null {
	if (known === span && min !== null && max !== null) return { lo: min.value, hi: max.value };
	if (range === undefined) return null;
	const [lo, hi] = range;
	return { lo: Math.min(lo, min?.value ?? lo), hi: Math.max(hi, max?.value ?? hi) };
}

const extremeOf = (extreme: Extreme | null): Pick<BoundedValue, 'value' | 'at'> =>
	extreme === null ? { value: null } : { value: extreme.value, at: extreme.at };
