import type { TimeZone } from '../calendar/time-zone.ts';
import { type CounterFault, type CounterRule, foldCounter, increaseOf, mergeCounterStates } from './fold-counter.ts';
import { foldSignal, mergeSignalStates, type SignalState } from './fold-signal.ts';
import { foldWithin, type LocalHours } from './local-hours.ts';
import type { Signal } from './signal.ts';
import { type BoundedValue, type SignalFunction, type SignalRule, signalValue } from './signal-values.ts';

/** What a line asks of its signal. */
export type LineFunction =
	| {
			readonly function: SignalFunction;
			readonly rule: SignalRule;
			/** The signal is on above this value; undefined: where it is not 0. */
			readonly above?: number | undefined;
			/** The local hours of each day that count; undefined: all. */
			readonly hours?: { readonly between: LocalHours; readonly zone: TimeZone } | undefined;
	  }
	| { readonly function: 'increase'; readonly rule: CounterRule };

/** The number of a line in a window, with the share of the window in which its signal is known: null where the window has no time. */
export interface LineValue extends BoundedValue {
	readonly known: number | null;
	/** Differences of readings that are no number. Where there are any, the value is null. */
	readonly counterFaults: readonly CounterFault[];
}

/** The numbers of a line: of each window and of all of them as one. */
export interface LineValues {
	readonly windows: readonly LineValue[];
	readonly total: LineValue;
}

/**
 * Returns what a line's function gives over consecutive windows. The whole range is merged from the windows, which is what a direct
 * computation gives (shared/domain/totals/README.md#states).
 * @param bounds at least two ascending epoch milliseconds; the last one is not after now
 */
export function valuesOfLine(signal: Signal, line: LineFunction, bounds: readonly number[]): LineValues {
	if (line.function === 'increase') return increaseValues(signal, line.rule, bounds);
	const { hours, above } = line;
	const states = hours ? foldWithin(signal, bounds, above, hours.between, hours.zone) : foldSignal(signal, bounds, above);
	const numberIn = (state: SignalState): LineValue => ({
		...signalValue(line.function, state, line.rule),
		known: knownShare(state),
		counterFaults: [],
	});
	return { windows: states.map(numberIn), total: numberIn(states.reduce(mergeSignalStates)) };
}

/** A counter is known as its signal is. */
function increaseValues(signal: Signal, rule: CounterRule, bounds: readonly number[]): LineValues {
	const times = foldSignal(signal, bounds, undefined);
	const states = foldCounter(signal, rule, bounds).flatMap((counter, index) =>
		times.slice(index, index + 1).map((time) => ({ counter, time })),
	);
	const numberOf = ({ counter, time }: (typeof states)[number]): LineValue => ({
		...increaseOf(counter, time.known),
		known: knownShare(time),
		counterFaults: counter.faults,
	});
	const whole = states.reduce((earlier, later) => ({
		counter: mergeCounterStates(earlier.counter, later.counter),
		time: mergeSignalStates(earlier.time, later.time),
	}));
	return { windows: states.map(numberOf), total: numberOf(whole) };
}

const knownShare = ({ known, span }: SignalState): number | null => (span === 0 ? null : known / span);
