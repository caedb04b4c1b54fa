import { compileEquation } from '../equation/compile.ts';
import { compileIntervals } from '../equation/interval.ts';
import type { SeriesFault } from '../ports/time-series.ts';
import { evaluateFormulaLine, type FormulaValue, limitToCommonTime } from './formula-line.ts';
import { type LineValue, type LineValues, valuesOfLine } from './line-values.ts';
import type { Signal } from './signal.ts';
import type { FormulaLine, SignalLine, TotalsLine } from './totals-request.ts';

/** What a line counts: a signal; numbers that are counted already; or why there is nothing to count. */
export type LineSource =
	| { readonly signal: Signal }
	| { readonly values: LineValues }
	| { readonly fault: SeriesFault | 'missing_reference' };

/** Why a line has no number in a window; window undefined: in the whole range. Times are epoch milliseconds. */
export interface LineFault {
	readonly code: string;
	readonly window?: number;
	/** The two readings of a counter whose difference is no number. */
	readonly from?: { readonly at: number; readonly value: number };
	readonly to?: { readonly at: number; readonly value: number };
}

/** The numbers of a line with the reasons of those that are missing. */
export interface EvaluatedLine {
	readonly key: string;
	readonly values: LineValues;
	readonly faults: readonly LineFault[];
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
	const evaluated = new Map<string, EvaluatedLine>();
	const byKey = new Map(lines.map((line) => [line.key, line]));
	for (const line of lines) {
		const own = line.kind === 'formula' ? formulaLine(line, byKey, sources, evaluated, bounds) : ownLine(line, sources, bounds);
		evaluated.set(line.key, own);
	}
	return [...evaluated.values()];
}

/** Evaluates a line by itself. */
function ownLine(
	line: Exclude<TotalsLine, FormulaLine>,
	sources: ReadonlyMap<string, LineSource>,
	bounds: readonly number[],
): EvaluatedLine {
	const { key } = line;
	const source = sources.get(key);
	if (source === undefined) throw new RangeError('A line has no source.');
	if ('fault' in source) return { key, values: noValues(bounds), faults: [{ code: source.fault }] };
	if ('values' in source) return { key, values: source.values, faults: [] };
	if (line.kind !== 'signal') throw new RangeError('Only a line of a signal has one.');
	const values = valuesOfLine(source.signal, line.asked, bounds);
	return { key, values, faults: faultsOf(values) };
}

function faultsOf({ windows, total }: LineValues): readonly LineFault[] {
	const overflows = (fault: LineValue['fault'], place: Pick<LineFault, 'window'>): readonly LineFault[] =>
		fault === undefined ? [] : [{ code: fault, ...place }];
	return [
		...windows.flatMap(({ fault, counterFaults }, window): readonly LineFault[] => [
			...overflows(fault, { window }),
			...counterFaults.map((each) => ({ ...each, window })),
		]),
		...overflows(total.fault, {}),
	];
}

/** The numbers of a line without a signal. */
function noValues(bounds: readonly number[]): LineValues {
	const none: LineValue = { value: null, low: null, high: null, known: 0, counterFaults: [] };
	return { windows: bounds.slice(1).map(() => none), total: none };
}

/**
 * Evaluates a formula. The lines of signals that it needs, also by other formulas, are taken over the time in which all of them are
 * known; increases, starts and alarms count whole.
 */
function formulaLine(
	line: FormulaLine,
	byKey: ReadonlyMap<string, TotalsLine>,
	sources: ReadonlyMap<string, LineSource>,
	evaluated: ReadonlyMap<string, EvaluatedLine>,
	bounds: readonly number[],
): EvaluatedLine {
	const needed = linesNeeded(line, byKey);
	const common = valuesInCommon(needed, sources, bounds);
	const formulas = [...needed, line].filter((each) => each.kind === 'formula').map(compiled);
	const inputs = needed.filter((each) => each.kind !== 'formula');
	const faults: LineFault[] = [];

	const numberIn = (of: (values: LineValues) => LineValue | undefined, place: Pick<LineFault, 'window'>): LineValue => {
		const own = (key: string): LineValue | undefined => {
			const values = evaluated.get(key)?.values;
			return values && of(values);
		};
		const numbers = new Map<string, number | null>();
		const shares: (number | null)[] = [];
		for (const { key } of inputs) {
			const values = common.get(key);
			const number = values === undefined ? own(key) : of(values);
			numbers.set(key, number?.value ?? null);
			shares.push(number?.known ?? null);
		}
		let result: FormulaValue = { value: null, low: null, high: null };
		for (const formula of formulas) {
			result = evaluateFormulaLine(
				formula.equation,
				formula.intervals,
				(name) => numbers.get(name) ?? null,
				(name) => own(name) ?? { low: null, high: null },
			);
			numbers.set(formula.key, result.value);
		}
		if (result.fault !== undefined) faults.push({ code: result.fault, ...place });
		const known = shares.includes(null) ? null : Math.min(1, ...shares.filter((share) => share !== null));
		return { value: result.value, low: result.low, high: result.high, known, counterFaults: [] };
	};
	const windows = bounds.slice(1).map((_, window) => numberIn((values) => values.windows[window], { window }));
	return { key: line.key, values: { windows, total: numberIn(({ total }) => total, {}) }, faults };
}

const compiled = ({ key, equation }: FormulaLine) => ({
	key,
	equation: compileEquation(equation),
	intervals: compileIntervals(equation),
});

/** Returns the lines that a formula needs, also by other formulas, in their order. */
function linesNeeded({ equation }: FormulaLine, byKey: ReadonlyMap<string, TotalsLine>): readonly TotalsLine[] {
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
	return [...byKey.values()].filter((line) => needed.has(line));
}

/** Returns the numbers of the lines of signals over the time in which all of their signals are known. */
function valuesInCommon(
	needed: readonly TotalsLine[],
	sources: ReadonlyMap<string, LineSource>,
	bounds: readonly number[],
): ReadonlyMap<string, LineValues> {
	const limited = needed.flatMap((line): readonly { line: SignalLine; signal: Signal }[] => {
		const source = sources.get(line.key);
		const isWhole = line.kind !== 'signal' || line.asked.function === 'increase' || line.asked.function === 'starts';
		return isWhole || source === undefined || !('signal' in source) ? [] : [{ line, signal: source.signal }];
	});
	const signals = [...new Set(limited.map(({ signal }) => signal))];
	const common = signals.length < 2 ? signals : limitToCommonTime(signals);
	return new Map(
		limited.flatMap(({ line, signal }) => {
			const within = common[signals.indexOf(signal)];
			return within === undefined ? [] : [[line.key, valuesOfLine(within, line.asked, bounds)]];
		}),
	);
}
