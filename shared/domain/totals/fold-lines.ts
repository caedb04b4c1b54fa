import { limitToCommonTime } from './formula-line.ts';
import { type JoinedSignal, severalIn } from './join-sources.ts';
import { foldLine, type LineFunction, type LineState, mergeLineStates, type SourceFault, statesOfSignal } from './line-state.ts';
import { partsWithin } from './local-hours.ts';
import { foldRaised, type RaisedEvents } from './raised-values.ts';
import type { FormulaLine, TotalsLine } from './totals-request.ts';

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
	const folded = lines.map((line) => ({
		key: line.key,
		states: line.kind === 'formula' ? foldCommon(line, lines, sources, bounds) : foldOwn(line, sources, bounds),
	}));
	return bounds.slice(1).map(
		(_, window) =>
			new Map(
				folded.flatMap(({ key, states }) => {
					const state = states[window];
					return state === undefined ? [] : [[key, state]];
				}),
			),
	);
}

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
	const needed = new Set<TotalsLine>();
	const add = (tokens: FormulaLine['equation']): void => {
		for (const { type, value } of tokens) {
			const line = type === 'variable' ? lines.find(({ key }) => key === value) : undefined;
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
	return states.map((state, index) => {
		const window = { start: bounds[index] ?? 0, stop: bounds[index + 1] ?? 0 };
		const hours = asked.function === 'increase' ? undefined : asked.hours;
		const several = severalIn(overlaps, hours === undefined ? [window] : partsWithin(window, hours.between, hours.zone));
		return several === undefined ? state : { ...state, several };
	});
}

/**
 * Folds the signals that a formula needs, directly or through other formulas, over the time in which all of them are known. Increases, starts
 * and raised alarms are not limited to that time, so they are not among the states.
 */
function foldCommon(
	formula: FormulaLine,
	lines: readonly TotalsLine[],
	sources: ReadonlyMap<string, LineSource>,
	bounds: readonly number[],
): readonly LineState[] {
	const limited = linesNeeded(formula, lines).flatMap((line) => {
		const source = sources.get(line.key);
		if (line.kind !== 'signal' || source === undefined || !('signal' in source)) return [];
		const { key, asked } = line;
		return asked.function === 'increase' || asked.function === 'starts' ? [] : [{ key, asked, signal: source.signal }];
	});
	const signals = [...new Set(limited.map(({ signal }) => signal))];
	// The common time of one signal is its own.
	const limitedSignals = signals.length < 2 ? signals : limitToCommonTime(signals);
	const folded = limited.map(({ key, asked, signal }) => {
		const limitedSignal = limitedSignals[signals.indexOf(signal)] ?? signal;
		return { key, states: statesOfSignal(limitedSignal, asked, bounds) };
	});
	return bounds.slice(1).map((_, window) => ({
		kind: 'formula',
		common: Object.fromEntries(
			folded.flatMap(({ key, states }) => {
				const state = states[window];
				return state === undefined ? [] : [[key, state]];
			}),
		),
	}));
}
