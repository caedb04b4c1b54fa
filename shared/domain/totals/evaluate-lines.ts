import { type CompiledEquation, compileEquation } from '../equation/compile.ts';
import { compileIntervals, type IntervalEquation } from '../equation/interval.ts';
import { changeValue } from './fold-change.ts';
import { type CounterFault, increaseOf } from './fold-counter.ts';
import { enteredValue } from './fold-entered.ts';
import { excursionsValue } from './fold-excursions.ts';
import {
	foldLines,
	hoursInCommon,
	type LineSource,
	linesInCommon,
	linesNeeded,
	mergeWindows,
	type WindowStates,
} from './fold-lines.ts';
import { longestValue } from './fold-longest.ts';
import { nightsValue } from './fold-nights.ts';
import { readingsValue } from './fold-readings.ts';
import type { SignalState } from './fold-signal.ts';
import { evaluateFormulaLine, valueOfFormula } from './formula-line.ts';
import { widened } from './instrument-error.ts';
import type { DifferingTag } from './join-sources.ts';
import {
	countsTime,
	isOfSignal,
	type KnownCounterState,
	type LineFunction,
	type LineState,
	type OfSources,
	type SignalCount,
	sourcesOf,
} from './line-state.ts';
import { raisedValue } from './raised-values.ts';
import { type BoundedValue, signalValue } from './signal-values.ts';
import type { FormulaLine, TotalsLine } from './totals-request.ts';

/**
 * The number of a line in a window, with the share of the window in which its signal is known. The share is null when the window has no
 * time that counts, such as none of the line's hours. That of a formula is the least share of the lines that it uses.
 */
export interface LineValue extends Omit<BoundedValue, 'fault'>, OfSources {
	readonly known: number | null;
	/** Why there is no number, and the first sample of another type where that is why. */
	readonly fault?: string;
	readonly faultAt?: number;
	/** Differences of readings that are not known. If there are any, the value is null. */
	readonly counterFaults: readonly CounterFault[];
}

/** The numbers of a line: one for each window, and one for the whole range. */
export interface LineValues {
	readonly windows: readonly LineValue[];
	readonly total: LineValue;
}

/**
 * Why a line has no number in a window, or some of its time is unknown; window undefined: in the whole range. Times are epoch milliseconds.
 */
export interface LineFault {
	readonly code: string;
	readonly window?: number;
	/** When several sources were first known at once, or the type of the samples first changed. */
	readonly at?: number;
	/** The tags in which these sources differ. */
	readonly tags?: readonly DifferingTag[];
	/** The two readings of a counter whose difference is not known. */
	readonly from?: { readonly at: number; readonly value: number };
	readonly to?: { readonly at: number; readonly value: number };
}

/** A line that a formula uses: `high` less `low` of its own number of the whole range; null: it lacks a bound. */
export interface FormulaTerm {
	readonly key: string;
	readonly width: number | null;
}

/** The numbers of a line, with the reasons for missing ones. */
export interface EvaluatedLine {
	readonly key: string;
	readonly values: LineValues;
	readonly faults: readonly LineFault[];
	/** Of a formula: the lines that it uses, by the widths of their own bounds, the widest first. */
	readonly terms?: readonly FormulaTerm[];
	/** The formula uses lines that count different times (`isMixed`). */
	readonly mixed?: true;
}

/**
 * Evaluates the lines of a request over consecutive windows, in their order.
 * @param sources of each line that is no formula, by its key
 * @param bounds at least two ascending epoch milliseconds; the last one is not after now
 */
export function evaluateLines(
	lines: readonly TotalsLine[],
	sources: ReadonlyMap<string, LineSource>,
	bounds: readonly number[],
): readonly EvaluatedLine[] {
	return evaluateStates(lines, foldLines(lines, sources, bounds));
}

/**
 * Evaluates lines from their states in consecutive windows. The state of the whole range is merged from the windows; a direct computation
 * would give the same (shared/domain/totals/README.md#states).
 * @param windows at least one
 * @param storedOf returns the stored numbers of a window, by the keys of lines. They replace the numbers that the states give
 */
export function evaluateStates(
	lines: readonly TotalsLine[],
	windows: readonly WindowStates[],
	storedOf: (window: number) => ReadonlyMap<string, LineValue> = () => new Map(),
): readonly EvaluatedLine[] {
	const evaluate = createEvaluator(lines);
	const numbers = windows.map((states, window) => new Map([...evaluate(states), ...storedOf(window)]));
	const [firstWindow, ...laterWindows] = numbers;
	// A single window is the whole range, also where its numbers are stored ones.
	const isSingleWindow = firstWindow !== undefined && laterWindows.length === 0;
	const total = isSingleWindow ? firstWindow : evaluate(windows.reduce(mergeWindows));
	return lines.map((line) => {
		const { key } = line;
		const values = { windows: numbers.map((ofWindow) => numberOf(ofWindow, key)), total: numberOf(total, key) };
		// A line without a source has one fault in all windows, which is told once.
		const hasSource = windows.some((states) => states.get(key)?.kind !== 'fault');
		const faults = hasSource ? faultsOf(values) : faultsOfTotal(values);
		const terms = line.kind === 'formula' ? { terms: termsOf(line, lines, total) } : {};
		return { key, values, faults, ...terms, ...(isMixed(line, lines) ? { mixed: true } : {}) };
	});
}

/** Returns a function that returns the number of each line, by its key, from the states of one window. */
export function createEvaluator(lines: readonly TotalsLine[]): (states: WindowStates) => ReadonlyMap<string, LineValue> {
	const formulas = new Map(
		lines.flatMap((line) => (line.kind === 'formula' ? [[line.key, compileWithInputs(line, lines)] as const] : [])),
	);
	return (states) => {
		const values = new Map<string, LineValue>();
		for (const line of lines) {
			const formula = formulas.get(line.key);
			values.set(line.key, formula === undefined ? ownValue(line, states) : formulaValue(formula, line.key, states, values));
		}
		return values;
	};
}

/**
 * Whether a line is a formula over lines that count different times: the whole window and the time that is common to them, or other hours of the
 * day.
 */
function isMixed(line: TotalsLine, lines: readonly TotalsLine[]): boolean {
	if (line.kind !== 'formula') return false;
	const inCommon = linesInCommon(line, lines);
	const others = linesNeeded(line, lines).filter(
		(each) => each.kind !== 'formula' && !inCommon.some(({ key }) => key === each.key),
	);
	return inCommon.length > 0 && (others.length > 0 || hoursInCommon(inCommon).length > 1);
}

/** Returns the lines that a formula uses, directly or through other formulas, by their widths. */
function termsOf(
	line: FormulaLine,
	lines: readonly TotalsLine[],
	values: ReadonlyMap<string, LineValue>,
): readonly FormulaTerm[] {
	const terms = linesNeeded(line, lines).flatMap(({ kind, key }): readonly FormulaTerm[] => {
		if (kind === 'formula') return [];
		const { low, high } = numberOf(values, key);
		return [{ key, width: low === null || high === null ? null : high - low }];
	});
	return terms.sort((a, b) => (b.width ?? Number.MAX_VALUE) - (a.width ?? Number.MAX_VALUE));
}

function numberOf(values: ReadonlyMap<string, LineValue>, key: string): LineValue {
	const value = values.get(key);
	if (value === undefined) throw new RangeError('A line was not evaluated.');
	return value;
}

/** Returns the reasons for missing numbers in all windows and in the whole range. */
function faultsOf(values: LineValues): readonly LineFault[] {
	const ofWindows = values.windows.flatMap(({ fault, faultAt, several, counterFaults }, window): readonly LineFault[] => [
		...(fault === undefined ? [] : [{ code: fault, window, ...(faultAt === undefined ? {} : { at: faultAt }) }]),
		...(several === undefined ? [] : [{ code: 'several_series', window, ...several }]),
		...counterFaults.map((each) => ({ ...each, window })),
	]);
	return [...ofWindows, ...faultsOfTotal(values)];
}

const faultsOfTotal = ({ total: { fault, faultAt } }: LineValues): readonly LineFault[] =>
	fault === undefined ? [] : [{ code: fault, ...(faultAt === undefined ? {} : { at: faultAt }) }];

/** Returns the number of a line that is no formula. */
function ownValue(line: TotalsLine, states: WindowStates): LineValue {
	const state = states.get(line.key);
	if (state === undefined) throw new RangeError('A line has no state.');
	switch (state.kind) {
		case 'fault':
			return {
				// An hour has no time that counts for a night.
				...{ value: null, low: null, high: null, known: state.code === 'period_too_short' ? null : 0 },
				...{ fault: state.code, counterFaults: [] },
				...(state.at === undefined ? {} : { faultAt: state.at }),
			};
		case 'entered':
			if (line.kind === 'entered') return { ...enteredValue(state.entered, line.numbers), counterFaults: [] };
			break;
		case 'raised':
			return { ...raisedValue(state.raised), counterFaults: [] };
		case 'nights':
			if (line.kind === 'signal' && line.asked.function === 'leastMean')
				return { ...nightsValue(state.nights, line.asked.error), counterFaults: [], ...sourcesOf(state) };
			break;
		case 'readings':
			if (line.kind === 'signal' && line.asked.function === 'readings')
				return { ...readingsValue(state.readings, line.asked), counterFaults: [], ...sourcesOf(state) };
			break;
		case 'longest':
			return { ...longestValue(state.longest), counterFaults: [], ...sourcesOf(state) };
		case 'excursions':
			return { ...excursionsValue(state.excursions), counterFaults: [], ...sourcesOf(state) };
		case 'signal':
			if (line.kind === 'signal' && isOfSignal(line.asked))
				return { ...signalNumber(line.asked, state.signal), ...sourcesOf(state) };
			break;
		case 'counter': {
			const { counter, signal } = state;
			return {
				...widened(increaseOf(counter, signal.known), line.kind === 'signal' ? errorOf(line.asked) : undefined),
				known: knownShare(signal),
				counterFaults: counter.faults,
				...sourcesOf(state),
			};
		}
		case 'change':
			if (line.kind === 'signal' && line.asked.function === 'change')
				return {
					...changeValue(state.ends, line.asked.rule),
					known: knownShare(state.signal),
					counterFaults: [],
					...sourcesOf(state),
				};
			break;
	}
	throw new RangeError('A line has the state of another kind of line.');
}

/** Returns the error of the instrument of an increase. */
const errorOf = (asked: LineFunction) => (asked.function === 'increase' ? asked.error : undefined);

function signalNumber(asked: SignalCount, state: SignalState): LineValue {
	return { ...signalValue(asked.function, state, asked.rule), known: knownShare(state), counterFaults: [] };
}

const knownShare = ({ known, span }: SignalState): number | null => (span === 0 ? null : known / span);

/**
 * A formula with the lines that it needs. `inCommon` are the keys of those that count the time that is common to them. `steps` are the
 * formulas among them that have less in common, so that they are evaluated again over its own common time; `sameTime` are the keys of the
 * others, whose numbers hold for it, too.
 */
interface CompiledFormula {
	readonly inputs: readonly Exclude<TotalsLine, FormulaLine>[];
	readonly inCommon: ReadonlySet<string>;
	readonly steps: readonly { readonly key: string; readonly equation: CompiledEquation }[];
	readonly sameTime: readonly string[];
	/** Whether an increase or a change counts the local hours of other lines. Its own bounds are those of the whole window, so the formula has none. */
	readonly isBoundless: boolean;
	readonly equation: CompiledEquation;
	readonly intervals: IntervalEquation;
}

/** Compiles a formula and those that it needs. */
function compileWithInputs(line: FormulaLine, lines: readonly TotalsLine[]): CompiledFormula {
	const needed = linesNeeded(line, lines);
	const inCommon = linesInCommon(line, lines);
	const formulas = needed.filter((each) => each.kind === 'formula');
	// The lines of a formula among them are some of its own, so that as many are the same.
	const isSameTime = (each: FormulaLine): boolean => linesInCommon(each, lines).length === inCommon.length;
	return {
		inputs: needed.filter((each) => each.kind !== 'formula'),
		inCommon: new Set(inCommon.map(({ key }) => key)),
		steps: formulas
			.filter((each) => !isSameTime(each))
			.map(({ key, equation }) => ({ key, equation: compileEquation(equation) })),
		sameTime: formulas.filter(isSameTime).map(({ key }) => key),
		isBoundless: inCommon.some(({ asked }) => !countsTime(asked)) && hoursInCommon(inCommon).some((hours) => hours !== undefined),
		equation: compileEquation(line.equation),
		intervals: compileIntervals(line.equation),
	};
}

/**
 * Evaluates a formula. Its lines that count time or stretches cover the time in which all of them are known. A formula among its lines is
 * evaluated again where that time may be shorter than its own common time. Its bounds follow from each line's own bounds, over
 * the whole window: they hold the truth of the whole window.
 * @param key of the formula's line
 * @param values the numbers of the lines before it, by their keys
 */
function formulaValue(
	{ inputs, inCommon, steps, sameTime, isBoundless, equation, intervals }: CompiledFormula,
	key: string,
	states: WindowStates,
	values: ReadonlyMap<string, LineValue>,
): LineValue {
	const formulaState = states.get(key);
	const { common = {}, counters = {} } = formulaState?.kind === 'formula' ? formulaState : {};
	const inputNumbers = inputs.map((line) => {
		const own = values.get(line.key);
		const isCounter = inCommon.has(line.key) && line.kind === 'signal' && !countsTime(line.asked);
		if (isCounter && own !== undefined)
			return { key: line.key, number: increaseInCommon(counters[line.key], states.get(line.key), own) };
		const state = common[line.key];
		// Starts, raised alarms, increases that count whole and a line with a fault have no state over the common time.
		const isLimited = state !== undefined && line.kind === 'signal' && countsTime(line.asked);
		return { key: line.key, number: isLimited ? signalNumber(line.asked, state) : own };
	});
	const numbers = new Map(inputNumbers.map(({ key: input, number }) => [input, number?.value ?? null]));
	const numberOverCommonTime = (name: string): number | null => numbers.get(name) ?? null;
	const unbounded = { low: null, high: null };
	const ownBounds = (name: string): Pick<LineValue, 'low' | 'high'> =>
		isBoundless ? unbounded : (values.get(name) ?? unbounded);
	for (const name of sameTime) numbers.set(name, values.get(name)?.value ?? null);
	for (const step of steps) numbers.set(step.key, valueOfFormula(step.equation, numberOverCommonTime).value);
	const result = evaluateFormulaLine(equation, intervals, numberOverCommonTime, ownBounds);
	const shares = inputNumbers.map(({ number }) => number?.known ?? null);
	const known = shares.includes(null) ? null : Math.min(1, ...shares.filter((share) => share !== null));
	const fault = inputNumbers.map(({ number }) => commonFaults.find((code) => code === number?.fault)).find(Boolean);
	// A formula with a value, or with a fault of its own, did not need the line at fault.
	return { ...(fault === undefined || result.value !== null ? {} : { fault }), ...result, known, counterFaults: [] };
}

/** The faults of a line that are also those of a formula over it. The first two are of an increase that may have a number of its own. */
const commonFaults = ['too_few_readings', 'counted_before', 'stored_row_invalid'] as const;

/**
 * Returns the number of an increase or a change over the stretches of a formula's common time. Each end of a stretch may leave out what the counter advanced
 * since its last reading. With more ends than readings that count, the sum could be far from the truth, so there is none.
 * @param state undefined: the window has a day that was stored before increases were counted over stretches
 * @param ownState the state of the whole window
 * @param own the number of the whole window
 */
function increaseInCommon(state: KnownCounterState | undefined, ownState: LineState | undefined, own: LineValue): LineValue {
	if (ownState?.kind !== 'counter' && ownState?.kind !== 'change') return own;
	if (state === undefined) return { ...own, value: null, fault: 'counted_before' };
	const { counter, signal } = state;
	const number = { ...increaseOf(counter, signal.known), known: knownShare(signal), counterFaults: [] };
	// A counter without any reading in the window stood still for as long as it was known.
	const hasReadings = ownState.counter.pairs + ownState.counter.faults.length > 0;
	return hasReadings && counter.pairs < (counter.edges ?? 0) ? { ...number, value: null, fault: 'too_few_readings' } : number;
}
