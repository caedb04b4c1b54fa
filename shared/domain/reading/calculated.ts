import type { CompiledEquation } from '../equation/compile.ts';
import type { CalculatedVariable } from '../variable/variable.ts';
import { type InputResult, type NewestPoint, newestPointOf } from './input.ts';
import { type QualityWithReason, reasonOf, worstOf } from './quality.ts';
import type { Evaluation, HistoryPoint, InputTimes } from './reading.ts';

/** Evaluates a calculated variable over what was read for its inputs (DESIGN.md section 5.4). */
export function evaluateCalculated(
	variable: CalculatedVariable,
	inputs: readonly InputResult[],
	equation: CompiledEquation,
	now: number,
): Evaluation {
	const inSlotOrder = equation.names.flatMap((name) => inputs.filter((input) => input.name === name));
	return (variable.type === 'last' ? evaluateLast : evaluateHistory)(inSlotOrder, equation, now);
}

/** The time is the oldest input's. An equation without inputs has the time of the request. */
function evaluateLast(inputs: readonly InputResult[], equation: CompiledEquation, now: number): Evaluation {
	const points = inputs.map((input) => newestPointOf(input, now));
	const slots = equation.createSlots();
	const value = valueAt(
		equation,
		points.map((point) => point.value),
		slots,
	);
	const times = points.map(({ time }) => time);
	const inputTimes = inputTimesOf(times);
	const time = inputs.length === 0 ? now : times.includes(null) ? null : inputTimes.oldest;
	return { content: { type: 'last', value, time }, ...qualityAt(equation, points, value, slots), bits: null, inputTimes };
}

/**
 * The instants are the union of the inputs' windows. An input without a window at an instant makes that instant null. The quality is
 * the newest instant's.
 */
function evaluateHistory(inputs: readonly InputResult[], equation: CompiledEquation, now: number): Evaluation {
	const columns = inputs.map(({ result }) => ('fault' in result ? { times: [], values: [] } : result));
	const cursors = columns.map(() => 0);
	const slots = equation.createSlots();
	const series: HistoryPoint[] = [];
	for (;;) {
		let time = Number.POSITIVE_INFINITY;
		for (const [index, { times }] of columns.entries())
			time = Math.min(time, times[cursors[index] ?? 0] ?? Number.POSITIVE_INFINITY);
		if (time === Number.POSITIVE_INFINITY) break;
		const operands = columns.map(({ times, values }, index) => {
			const cursor = cursors[index] ?? 0;
			if (times[cursor] !== time) return null;
			cursors[index] = cursor + 1;
			return values[cursor] ?? null;
		});
		series.push([time, valueAt(equation, operands, slots)]);
	}
	const newest = series.at(-1);
	const points = inputs.map((input): NewestPoint => {
		const point = newestPointOf(input, now);
		const absent = point.time !== null && newest !== undefined && point.time !== newest[0];
		return absent ? { ...point, value: null, quality: 'no_data', code: 'no_data' } : point;
	});
	const quality: QualityWithReason =
		newest === undefined && inputs.length === 0
			? { quality: 'no_data', reason: reasonOf('no_data', []) }
			: qualityAt(equation, points, newest?.[1] ?? null, slots);
	const inputTimes = inputTimesOf(points.map(({ sampledAt }) => sampledAt));
	return { content: { type: 'history', series }, ...quality, bits: null, inputTimes };
}

/** Evaluates the equation at one instant. An absent operand gives null before any fault of the equation. */
function valueAt(equation: CompiledEquation, operands: readonly (number | null)[], slots: Float64Array): number | null {
	for (const [slot, operand] of operands.entries()) {
		if (operand === null) return null;
		slots[slot] = operand;
	}
	const value = equation.evaluate(slots);
	return Number.isFinite(value) ? value : null;
}

function inputTimesOf(times: readonly (number | null)[]): InputTimes {
	const known = times.filter((time) => time !== null);
	if (known.length === 0) return { oldest: null, newest: null };
	return { oldest: Math.min(...known), newest: Math.max(...known) };
}

/** The quality of an instant: `bad` when the equation has no value over present operands, otherwise the inputs' worst. */
function qualityAt(
	equation: CompiledEquation,
	points: readonly NewestPoint[],
	value: number | null,
	slots: Float64Array,
): QualityWithReason {
	if (value === null && points.every((point) => point.value !== null)) {
		const { fault, names } = equation.diagnose(slots);
		return { quality: 'bad', reason: reasonOf(fault, names) };
	}
	return worstOf(points);
}
