import { foldEntered } from './fold-entered.ts';
import type { SignalState } from './fold-signal.ts';
import { commonTimeOf, limitToCommonTime } from './formula-line.ts';
import { type JoinedSignal, severalInWindows } from './join-sources.ts';
import {
	countsTime,
	foldLine,
	formulaScopes,
	type KnownCounterState,
	type LineFunction,
	type LineState,
	mergeLineStates,
	type SourceFault,
	statesOfChange,
	statesOfCounter,
	statesOfSignal,
} from './line-state.ts';
import { partsWithin, type ZonedHours } from './local-hours.ts';
import { foldRaised, type RaisedEvents } from './raised-values.ts';
import type { Signal } from './signal.ts';
import type { FormulaLine, SignalLine, TotalsLine } from './totals-request.ts';

/** What a line counts: a signal or the events of alarms. A fault says why there is nothing to count, and since when. */
export type LineSource =
	| (Pick<JoinedSignal, 'signal'> & Partial<JoinedSignal>)
	| { readonly raised: RaisedEvents }
	| { readonly fault: SourceFault; readonly at?: number };

/** The states of all lines in a window, by their keys. */
export type WindowStates = ReadonlyMap<string, LineState>;

/**
 * Folds the lines of a request over consecutive windows.
 * @param sources the source of each line that is no formula, by the line's key
 * @param bounds at least two ascending epoch milliseconds; the last one is not after now
 * @returns the states of each window
 */
export function foldLines(
	lines: readonly TotalsLine[],
	sources: ReadonlyMap<string, LineSource>,
	bounds: readonly number[],
): readonly WindowStates[] {
	/** The states of formulas, by the lines that they have in common: formulas over the same lines share them. */
	const commonStates = new Map<string, readonly LineState[]>();
	const statesOfFormula = (line: FormulaLine): readonly LineState[] => {
		const name = commonName(line, lines);
		const states = commonStates.get(name) ?? foldCommon(line, lines, sources, bounds);
		commonStates.set(name, states);
		return states;
	};
	const byKey = new Map(
		lines.map((line) => [line.key, line.kind === 'formula' ? statesOfFormula(line) : foldOwn(line, sources, bounds)]),
	);
	return bounds.slice(1).map((_, window) => new Map(statesOfWindow(byKey, window)));
}

/** Returns how often signals are limited to the time that the lines of a formula have in common: once for all formulas over the same lines. */
export function countCommonTimes(lines: readonly TotalsLine[]): number {
	return new Set(lines.flatMap((line) => (line.kind === 'formula' ? [commonName(line, lines)] : []))).size;
}

/** Returns a name of the lines that a formula has in common. */
const commonName = (formula: FormulaLine, lines: readonly TotalsLine[]): string =>
	JSON.stringify(linesInCommon(formula, lines).map(({ key }) => key));

/** Merges the states of consecutive windows. */
export function mergeWindows(earlier: WindowStates, later: WindowStates): WindowStates {
	return new Map(
		[...earlier].flatMap(([key, state]) => {
			const other = later.get(key);
			return other === undefined ? [] : [[key, mergeLineStates(state, other)]];
		}),
	);
}

/** Returns the lines that a formula needs, directly or through other formulas, in the order of `lines`. */
export function linesNeeded({ equation }: FormulaLine, lines: readonly TotalsLine[]): readonly TotalsLine[] {
	const byKey = new Map(lines.map((line) => [line.key, line]));
	const needed = new Set<TotalsLine>();
	const add = (tokens: FormulaLine['equation']): void => {
		for (const { type, value } of tokens) {
			const line = type === 'variable' ? byKey.get(value) : undefined;
			if (line === undefined || needed.has(line)) continue;
			needed.add(line);
			if (line.kind === 'formula') add(line.equation);
		}
	};
	add(equation);
	return lines.filter((line) => needed.has(line));
}

/** Folds one line on its own. */
function foldOwn(
	line: Exclude<TotalsLine, FormulaLine>,
	sources: ReadonlyMap<string, LineSource>,
	bounds: readonly number[],
): readonly LineState[] {
	if (line.kind === 'entered') return foldEntered(line.numbers, bounds).map((entered) => ({ kind: 'entered', entered }));
	const source = sources.get(line.key);
	if (source === undefined) throw new RangeError('A line has no source.');
	if ('fault' in source) {
		const { fault: code, ...since } = source;
		return bounds.slice(1).map(() => ({ kind: 'fault', code, ...since }));
	}
	if (line.kind === 'raised' && 'raised' in source)
		return foldRaised(source.raised, line.severity, bounds).map((raised) => ({ kind: 'raised', raised }));
	if (line.kind === 'signal' && 'signal' in source) return foldJoined(source, line.asked, bounds);
	throw new RangeError('A line has the source of another kind of line.');
}

/** Folds a signal. A window in which several of its sources are known tells of them. */
function foldJoined(
	{ signal, overlaps = [] }: Extract<LineSource, { readonly signal: unknown }>,
	asked: LineFunction,
	bounds: readonly number[],
): readonly LineState[] {
	const states = foldLine(signal, asked, bounds);
	if (overlaps.length === 0) return states;
	const hours = 'hours' in asked ? asked.hours : undefined;
	const windows = bounds.slice(1).map((stop, index) => {
		const window = { start: bounds[index] ?? 0, stop };
		return hours === undefined ? [window] : partsWithin(window, hours.between, hours.zone);
	});
	const told = severalInWindows(overlaps, windows);
	return states.map((state, index) => {
		const several = told[index];
		return several === undefined || state.kind === 'fault' ? state : { ...state, several };
	});
}

/** Returns the lines of a formula that count over the time that they have in common. Without a line that counts time, increases count whole. */
export function linesInCommon(formula: FormulaLine, lines: readonly TotalsLine[]): readonly SignalLine[] {
	const limited = linesNeeded(formula, lines).filter(
		(line): line is SignalLine => line.kind === 'signal' && formulaScopes[line.asked.function] !== 'whole',
	);
	return limited.some(({ asked }) => countsTime(asked)) ? limited : [];
}

/**
 * Returns the local hours of the lines that a formula has in common, each once; undefined among them: all hours. Increases have none of their
 * own.
 */
export function hoursInCommon(inCommon: readonly SignalLine[]): readonly (ZonedHours | undefined)[] {
	const all = inCommon.flatMap(({ asked }) => (countsTime(asked) ? [asked.hours] : []));
	return [...new Map(all.map((hours) => [JSON.stringify(hours?.between), hours])).values()];
}

/** Returns the time of local hours in a range, as `commonTimeOf` returns a time. */
function timeOfHours({ between, zone }: ZonedHours, bounds: readonly number[]): Signal {
	const parts = partsWithin({ start: bounds[0] ?? 0, stop: bounds.at(-1) ?? 0 }, between, zone);
	return {
		times: Float64Array.from(parts.flatMap(({ start, stop }) => [start, stop])),
		values: Float64Array.from(parts.flatMap(() => [1, Number.NaN])),
		holdMs: Number.POSITIVE_INFINITY,
	};
}

/** Folds the signals that a formula needs, directly or through other formulas, over the time in which all of them are known. */
function foldCommon(
	formula: FormulaLine,
	lines: readonly TotalsLine[],
	sources: ReadonlyMap<string, LineSource>,
	bounds: readonly number[],
): readonly LineState[] {
	const inCommon = linesInCommon(formula, lines).flatMap((line) => {
		const source = sources.get(line.key);
		return source !== undefined && 'signal' in source ? [{ ...line, signal: source.signal }] : [];
	});
	const signals = [...new Set(inCommon.map(({ signal }) => signal))];
	// The common time of one signal is its own.
	const common = signals.length < 2 ? undefined : commonTimeOf(signals);
	const limitedSignals = common === undefined ? signals : limitToCommonTime(signals, common);
	const [hours, ...otherHours] = hoursInCommon(inCommon);
	// Gaps end stretches also where all lines read one signal. Where all lines count the same hours, so do increases beside them.
	const commonOfCounters = inCommon.every(({ asked }) => countsTime(asked)) ? undefined : (common ?? commonTimeOf(signals));
	const stretches =
		hours === undefined || otherHours.length > 0 ? commonOfCounters : commonTimeOf([...signals, timeOfHours(hours, bounds)]);
	const [ofSignals, ofCounters] = [new Map<string, readonly SignalState[]>(), new Map<string, readonly KnownCounterState[]>()];
	for (const { key, asked, signal } of inCommon)
		if (asked.function === 'increase') ofCounters.set(key, statesOfCounter(signal, asked.rule, bounds, stretches));
		else if (asked.function === 'change') ofCounters.set(key, statesOfChange(signal, bounds, stretches));
		else if (countsTime(asked))
			ofSignals.set(key, statesOfSignal(limitedSignals[signals.indexOf(signal)] ?? signal, asked, bounds));
	return bounds.slice(1).map((_, window) => ({
		kind: 'formula',
		common: Object.fromEntries(statesOfWindow(ofSignals, window)),
		...(ofCounters.size === 0 ? {} : { counters: Object.fromEntries(statesOfWindow(ofCounters, window)) }),
	}));
}

/** Returns the states of one window with their keys. */
function statesOfWindow<State>(byKey: ReadonlyMap<string, readonly State[]>, window: number): readonly [string, State][] {
	return [...byKey].flatMap(([key, states]): [string, State][] => {
		const state = states[window];
		return state === undefined ? [] : [[key, state]];
	});
}
