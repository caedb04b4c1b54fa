import type { CompiledEquation } from '../equation/compile.ts';
import type { EvaluationFault } from '../equation/functions.ts';
import type { IntervalEquation } from '../equation/interval.ts';
import { combineSignals } from './combine-signals.ts';
import type { Signal } from './signal.ts';
import type { BoundedValue } from './signal-values.ts';

/** The number of a formula over lines. It is null when a line has no number; the fault is then reported for that line. */
export interface FormulaValue extends Pick<BoundedValue, 'value' | 'low' | 'high'> {
	readonly fault?: EvaluationFault;
}

/**
 * Returns the signals of the lines that one formula uses, each limited to the time in which all of them are known. Otherwise a quotient
 * would compare different times (shared/domain/totals/README.md#formulas).
 */
export function limitToCommonTime(signals: readonly Signal[], common: Signal = commonTimeOf(signals)): readonly Signal[] {
	return signals.map((signal) => combineSignals([signal, common], ([value = Number.NaN]) => value));
}

/**
 * Returns the time in which all signals are known, in stretches: a sample of 1 where a stretch begins, and one without a number where it
 * ends, in turn.
 */
export function commonTimeOf(signals: readonly Signal[]): Signal {
	const { times, values, holdMs } = combineSignals(signals, () => 1);
	const isChange = (_: number, index: number): boolean => !Object.is(values[index], values[index - 1] ?? Number.NaN);
	return { times: times.filter(isChange), values: values.filter(isChange), holdMs };
}

/**
 * Evaluates a formula over lines in one window.
 * @param numberOf returns the value of a line, taken over the time that the formula's lines have in common
 * @param boundsOf returns the line's own bounds, over the whole window
 */
export function evaluateFormulaLine(
	equation: CompiledEquation,
	intervals: IntervalEquation,
	numberOf: (name: string) => number | null,
	boundsOf: (name: string) => Pick<BoundedValue, 'low' | 'high'>,
): FormulaValue {
	const { low, high } = intervals.evaluate(intervals.names.map(boundsOf));
	return { ...valueOfFormula(equation, numberOf), low, high };
}

/** Evaluates a formula over lines without its bounds, as `evaluateFormulaLine`. */
export function valueOfFormula(
	equation: CompiledEquation,
	numberOf: (name: string) => number | null,
): Pick<FormulaValue, 'value' | 'fault'> {
	const slots = equation.createSlots();
	for (const [slot, name] of equation.names.entries()) slots[slot] = numberOf(name) ?? Number.NaN;
	const value = equation.evaluate(slots);
	if (Number.isFinite(value)) return { value };
	if (equation.reached(slots).some((slot) => Number.isNaN(slots[slot]))) return { value: null };
	return { value: null, fault: equation.diagnose(slots).fault };
}
