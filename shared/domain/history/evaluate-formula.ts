import type { CompiledEquation } from '../equation/compile.ts';
import type { SpanColumn } from '../ports/span-reader.ts';
import { bad, type QualityAssessment, type QualityWithReason, worstOf } from '../reading/quality.ts';
import type { SpanInputResult } from './evaluate-query.ts';
import type { HistoryColumn, WindowFault } from './history.ts';
import { badRange, goodRange, noCommonWindow, noDataInRange } from './range-quality.ts';

/**
 * Evaluates a calculated variable over windows: the formula over its inputs' own aggregates in each window. A window that an input has
 * no sample in is null. A fault of an input, or of the formula, is a fault of its window. Inputs that the formula does not reach in a
 * window do not count there.
 * @param windowCount number of windows
 */
export function evaluateFormula(
	inputs: readonly SpanInputResult[],
	equation: CompiledEquation,
	windowCount: number,
): QualityWithReason & { readonly column: HistoryColumn } {
	const operands: Operand[] = [];
	/** The inputs whose series cannot be read. */
	const faulted: (QualityAssessment & { readonly name: string })[] = [];
	for (const name of equation.names) {
		for (const { query, result } of inputs.filter((input) => input.name === name)) {
			const isFaulted = 'fault' in result;
			if (isFaulted) faulted.push({ name, ...bad(result.fault) });
			operands.push({
				name,
				isEmpty: !isFaulted && result.newestAt === null,
				column: isFaulted ? null : columnOf(result.columns.get(query.calc_type_period)),
			});
		}
	}
	const values: (number | null)[] = [];
	const faults = new Map<number, WindowFault>();
	const slots = equation.createSlots();
	let newestFault: InputFault | undefined;
	for (let window = 0; window < windowCount; window += 1) {
		const outcome = outcomeAt(window, operands, equation, slots);
		const isFault = outcome !== null && typeof outcome !== 'number';
		values.push(isFault ? null : outcome);
		if (isFault) {
			newestFault = outcome;
			faults.set(window, outcome.code);
		}
	}
	const isFaulted = faulted.length > 0 && newestFault === undefined && values.every((value) => value === null);
	return { ...(isFaulted ? worstOf(faulted) : qualityOf(values, newestFault, operands)), column: { values, faults } };
}

/** An input of the formula, in the order of its slots. */
interface Operand {
	readonly name: string;
	/** Whether it has no sample in the range. */
	readonly isEmpty: boolean;
	/** Its windows; null where its series cannot be read. */
	readonly column: SpanColumn | null;
}

/** Why a window has no value, and the inputs at fault. */
interface InputFault {
	readonly code: WindowFault;
	readonly names: readonly string[];
}

function columnOf(column: SpanColumn | undefined): SpanColumn {
	if (column === undefined) throw new RangeError('The span lacks the column of its own aggregate.');
	return column;
}

/** Returns the formula's value in one window, or its fault; null where an input that it needs has no sample. A fault of an input counts first. */
function outcomeAt(
	window: number,
	operands: readonly Operand[],
	equation: CompiledEquation,
	slots: Float64Array,
): number | null | InputFault {
	for (const [slot, { column }] of operands.entries())
		slots[slot] = column?.faults.has(window) ? Number.NaN : (column?.values[window] ?? Number.NaN);
	const value = equation.evaluate(slots);
	if (Number.isFinite(value)) return value;
	const reached = equation.reached(slots);
	const needed = reached.flatMap((slot) => operands[slot] ?? []);
	if (needed.some(({ column }) => column === null)) return null;
	for (const { name, column } of needed) {
		const code = column?.faults.get(window);
		if (code !== undefined) return { code, names: [name] };
	}
	if (reached.some((slot) => Number.isNaN(slots[slot]))) return null;
	const { fault, names } = equation.diagnose(slots);
	return { code: fault, names };
}

/** Returns the quality of the range. One value in any window makes it good; otherwise its newest fault decides, then what is missing. */
function qualityOf(
	values: readonly (number | null)[],
	newestFault: InputFault | undefined,
	operands: readonly Operand[],
): QualityWithReason {
	if (values.some((value) => value !== null)) return goodRange;
	if (newestFault !== undefined) return badRange(newestFault.code, newestFault.names);
	const empty = operands.filter(({ isEmpty }) => isEmpty);
	return empty.length > 0 ? noDataInRange(empty.map(({ name }) => name)) : noCommonWindow(operands.map(({ name }) => name));
}
