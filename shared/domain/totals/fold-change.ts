import { type InstrumentError, widened } from './instrument-error.ts';
import { countUpTo, type Signal } from './signal.ts';
import type { BoundedValue, SignalRule } from './signal-values.ts';

/** What a change needs besides the values at the ends. */
export interface ChangeRule extends Pick<SignalRule, 'range'> {
	readonly error?: InstrumentError;
}

/** The values of a signal at both ends of a window; null: it is unknown there. States of consecutive windows share an end. */
export interface ChangeEnds {
	readonly begin: number | null;
	readonly end: number | null;
}

/** Returns the values of a signal at the ends of consecutive windows: each is that of the newest sample at or before it. */
export function foldChange({ times, values, holdMs }: Signal, bounds: readonly number[]): readonly ChangeEnds[] {
	const atBounds = bounds.map((bound) => {
		const newest = countUpTo(times, bound) - 1;
		const value = values[newest] ?? Number.NaN;
		return Number.isNaN(value) || bound >= (times[newest] ?? bound) + holdMs ? null : value;
	});
	return atBounds.slice(1).map((end, index) => ({ begin: atBounds[index] ?? null, end }));
}

/** Merges the ends of consecutive windows. */
export const mergeChanges = (earlier: ChangeEnds, later: ChangeEnds): ChangeEnds => ({ begin: earlier.begin, end: later.end });

/** Returns the change over a window. An end that is unknown is bounded by the range. */
export function changeValue({ begin, end }: ChangeEnds, { range, error }: ChangeRule): BoundedValue {
	const [least, greatest] = range ?? [null, null];
	const between = (later: number | null, earlier: number | null) => (later === null || earlier === null ? null : later - earlier);
	const number = {
		value: between(end, begin),
		low: between(end ?? least, begin ?? greatest),
		high: between(end ?? greatest, begin ?? least),
	};
	if (number.value !== null && !Number.isFinite(number.value)) return { value: null, low: null, high: null, fault: 'overflow' };
	// Each reading has an error of its own.
	const sizeOf = (known: number | null): number =>
		Math.max(...[known ?? least, known ?? greatest].map((each) => Math.abs(each ?? 0)));
	return widened(number, error, { size: sizeOf(begin) + sizeOf(end), times: 2 });
}
