import type { SeriesFault } from '../ports/time-series.ts';
import { type ChangeEnds, type ChangeRule, foldChange, mergeChanges } from './fold-change.ts';
import { type CounterRule, type CounterState, foldCounter, mergeCounterStates } from './fold-counter.ts';
import { type EnteredState, mergeEntered } from './fold-entered.ts';
import { type ExcursionsRule, type ExcursionsState, foldExcursions, mergeExcursions } from './fold-excursions.ts';
import { foldLongest, type LongestState, mergeLongest } from './fold-longest.ts';
import { foldNights, mergeNights, type NightsRule, type NightsState } from './fold-nights.ts';
import { foldReadings, mergeReadings, type ReadingsRule, type ReadingsState } from './fold-readings.ts';
import { foldSignal, mergeSignalStates, type OnRule, type SignalState } from './fold-signal.ts';
import type { InstrumentError } from './instrument-error.ts';
import { mergeSeveral, type SeveralSources } from './join-sources.ts';
import { foldWithin, type ZonedHours } from './local-hours.ts';
import { doubtfulReadings } from './momentary-readings.ts';
import { mergeRaised, type RaisedState } from './raised-values.ts';
import type { Signal } from './signal.ts';
import { type SignalFunction, type SignalRule, signalFunctions } from './signal-values.ts';

/** A function of the state of a signal, with its parameters. */
export interface SignalCount extends OnRule {
	readonly function: SignalFunction;
	readonly rule: SignalRule;
	/** The local hours of each day that count; undefined: all. */
	readonly hours?: ZonedHours | undefined;
}

/** The function that a line applies to its signal, with its parameters. `readings` is also `within` with `every`. */
export type LineFunction =
	| SignalCount
	| { readonly function: 'increase'; readonly rule: CounterRule; readonly error?: InstrumentError }
	| { readonly function: 'change'; readonly rule: ChangeRule }
	| ({ readonly function: 'leastMean' } & NightsRule)
	| ({ readonly function: 'readings' } & ReadingsRule)
	| ({ readonly function: 'longest' } & OnRule)
	| ({ readonly function: 'excursions' } & ExcursionsRule);

/**
 * What a function counts as a part of a formula (shared/domain/totals/README.md#formulas): the time that the formula's lines have in common,
 * the stretches of that time, or the whole window.
 */
export const formulaScopes = {
	total: 'time',
	mean: 'time',
	min: 'time',
	max: 'time',
	onTime: 'time',
	within: 'time',
	increase: 'stretches',
	change: 'stretches',
	starts: 'whole',
	leastMean: 'whole',
	readings: 'whole',
	longest: 'whole',
	excursions: 'whole',
} as const satisfies Record<LineFunction['function'], 'time' | 'stretches' | 'whole'>;

/** Why a line has nothing to count. */
export type SourceFault = SeriesFault | 'missing_reference' | 'stored_row_invalid' | 'line_does_not_fit' | 'period_too_short';

/** The state of a counter in a window, with that of its signal, which tells for how long the counter was known. */
export interface KnownCounterState {
	readonly counter: CounterState;
	readonly signal: SignalState;
}

/** Of a signal in a window: that several of its sources were known at once. */
export interface OfSources {
	readonly several?: SeveralSources;
}

/**
 * The state of a line in a window (shared/domain/totals/README.md#states). `formula`: the states of the lines that it uses, by their
 * keys, over the time in which all of them are known. `counters`: left out where no increase is among them, and in days of reports that were
 * stored before increases were.
 */
export type LineState =
	| ({ readonly kind: 'signal'; readonly signal: SignalState } & OfSources)
	| ({ readonly kind: 'counter' } & KnownCounterState & OfSources)
	| ({ readonly kind: 'change'; readonly ends: ChangeEnds } & KnownCounterState & OfSources)
	| ({ readonly kind: 'nights'; readonly nights: NightsState } & OfSources)
	| ({ readonly kind: 'readings'; readonly readings: ReadingsState } & OfSources)
	| ({ readonly kind: 'longest'; readonly longest: LongestState } & OfSources)
	| ({ readonly kind: 'excursions'; readonly excursions: ExcursionsState } & OfSources)
	| { readonly kind: 'raised'; readonly raised: RaisedState }
	| { readonly kind: 'entered'; readonly entered: EnteredState }
	| {
			readonly kind: 'formula';
			readonly common: Readonly<Record<string, SignalState>>;
			readonly counters?: Readonly<Record<string, KnownCounterState>>;
	  }
	| { readonly kind: 'fault'; readonly code: SourceFault; readonly at?: number };

/** Returns the state of a line of a signal in each window. A counter is known when its signal is known. */
export function foldLine(signal: Signal, asked: LineFunction, bounds: readonly number[]): readonly LineState[] {
	switch (asked.function) {
		case 'increase':
			return statesOfCounter(signal, asked.rule, bounds).map((state) => ({ kind: 'counter', ...state }));
		case 'change': {
			const ends = foldChange(signal, bounds);
			return statesOfChange(signal, bounds).map((state, index) => ({
				kind: 'change',
				...state,
				ends: ends[index] ?? { begin: null, end: null },
			}));
		}
		case 'leastMean':
			return foldNights(signal, asked, bounds).map((nights) => ({ kind: 'nights', nights }));
		case 'readings':
			return foldReadings(signal, asked, bounds).map((readings) => ({ kind: 'readings', readings }));
		case 'longest':
			return foldLongest(signal, asked, bounds).map((longest) => ({ kind: 'longest', longest }));
		case 'excursions':
			return foldExcursions(signal, asked, bounds).map((excursions) => ({ kind: 'excursions', excursions }));
		default:
			return statesOfSignal(signal, asked, bounds).map((state) => ({ kind: 'signal', signal: state }));
	}
}

/**
 * Returns the state of a counter in each window.
 * @param stretches the time that counts (`commonTimeOf`); left out: all
 */
export function statesOfCounter(
	signal: Signal,
	rule: CounterRule,
	bounds: readonly number[],
	stretches?: Signal,
): readonly KnownCounterState[] {
	const counters = foldCounter(signal, rule, bounds, { stretches, doubtful: doubtfulReadings(signal, rule) });
	return foldSignal(stretches ?? signal, bounds).flatMap((state, index) => {
		const counter = counters[index];
		return counter === undefined ? [] : [{ counter, signal: state }];
	});
}

/**
 * Returns the states of a change in each window, over stretches of time: its differences are those of a counter that may fall by any number. From one
 * source to another it changes, too.
 */
export function statesOfChange(
	{ handovers: _handovers, ...signal }: Signal,
	bounds: readonly number[],
	stretches?: Signal,
): readonly KnownCounterState[] {
	return statesOfCounter(signal, { dip: Number.POSITIVE_INFINITY }, bounds, stretches);
}

/** Returns the state of a signal in each window, for functions of such a state. */
export function statesOfSignal(
	signal: Signal,
	{ hours, ...onRule }: Pick<SignalCount, 'hours' | keyof OnRule>,
	bounds: readonly number[],
): readonly SignalState[] {
	return hours === undefined ? foldSignal(signal, bounds, onRule) : foldWithin(signal, bounds, hours, onRule);
}

/** Whether a function has the state of a signal. */
export function isOfSignal(asked: LineFunction): asked is SignalCount {
	return asked.function in signalFunctions;
}

/** Whether a function counts time that a formula can limit to what is common to its lines. */
export function countsTime(asked: LineFunction): asked is SignalCount & { readonly function: Exclude<SignalFunction, 'starts'> } {
	return formulaScopes[asked.function] === 'time';
}

/** Returns what a state, merged with that of the next window if it is given, tells of its sources. */
export function sourcesOf(earlier: OfSources, later: OfSources = {}): OfSources {
	const several = mergeSeveral(earlier.several, later.several);
	return several === undefined ? {} : { several };
}

/** Merges the states of a line in consecutive windows. If one of them has a fault, so has the merged state. */
export function mergeLineStates(earlier: LineState, later: LineState): LineState {
	const fault = [earlier, later].find(({ kind }) => kind === 'fault');
	if (fault !== undefined) return fault;
	if (earlier.kind === 'signal' && later.kind === 'signal')
		return { kind: 'signal', signal: mergeSignalStates(earlier.signal, later.signal), ...sourcesOf(earlier, later) };
	if (earlier.kind === 'counter' && later.kind === 'counter')
		return { kind: 'counter', ...mergeKnownCounters(earlier, later), ...sourcesOf(earlier, later) };
	if (earlier.kind === 'change' && later.kind === 'change')
		return {
			kind: 'change',
			...mergeKnownCounters(earlier, later),
			ends: mergeChanges(earlier.ends, later.ends),
			...sourcesOf(earlier, later),
		};
	if (earlier.kind === 'nights' && later.kind === 'nights')
		return { kind: 'nights', nights: mergeNights(earlier.nights, later.nights), ...sourcesOf(earlier, later) };
	if (earlier.kind === 'readings' && later.kind === 'readings')
		return { kind: 'readings', readings: mergeReadings(earlier.readings, later.readings), ...sourcesOf(earlier, later) };
	if (earlier.kind === 'longest' && later.kind === 'longest')
		return { kind: 'longest', longest: mergeLongest(earlier.longest, later.longest), ...sourcesOf(earlier, later) };
	if (earlier.kind === 'excursions' && later.kind === 'excursions')
		return {
			kind: 'excursions',
			excursions: mergeExcursions(earlier.excursions, later.excursions),
			...sourcesOf(earlier, later),
		};
	if (earlier.kind === 'raised' && later.kind === 'raised')
		return { kind: 'raised', raised: mergeRaised(earlier.raised, later.raised) };
	if (earlier.kind === 'entered' && later.kind === 'entered')
		return { kind: 'entered', entered: mergeEntered(earlier.entered, later.entered) };
	if (earlier.kind === 'formula' && later.kind === 'formula') return mergeFormulas(earlier, later);
	throw new RangeError('The states of one line are of one kind.');
}

const mergeKnownCounters = (earlier: KnownCounterState, later: KnownCounterState): KnownCounterState => ({
	counter: mergeCounterStates(earlier.counter, later.counter),
	signal: mergeSignalStates(earlier.signal, later.signal),
});

type FormulaState = Extract<LineState, { readonly kind: 'formula' }>;

function mergeFormulas(earlier: FormulaState, later: FormulaState): FormulaState {
	return {
		kind: 'formula',
		common: mergeByKey(earlier.common, later.common, mergeSignalStates),
		...(earlier.counters && later.counters ? { counters: mergeByKey(earlier.counters, later.counters, mergeKnownCounters) } : {}),
	};
}

/** Merges the states of lines by key. A line without a state in one window, because of a fault, has none in the result. */
function mergeByKey<State>(
	earlier: Readonly<Record<string, State>>,
	later: Readonly<Record<string, State>>,
	merge: (earlier: State, later: State) => State,
): Readonly<Record<string, State>> {
	return Object.fromEntries(
		Object.entries(earlier).flatMap(([key, state]) => {
			const other = later[key];
			return other === undefined ? [] : [[key, merge(state, other)]];
		}),
	);
}
