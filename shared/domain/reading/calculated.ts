import type { Compiled } from '../equation/evaluate.ts';
import type { CalculatedVariable } from '../variable/variable.ts';
import { type InputResult, type NewestPoint, newestOf } from './input.ts';
import { type Quality, type Reason, reasonOf, worstOf } from './quality.ts';
import type { Evaluation, HistoryPoint, InputTimes } from './reading.ts';

/** What a calculated variable shows: its formula over its inputs (design section 5). */
export function findCalculated(
	variable: CalculatedVariable,
	inputs: readonly InputResult[],
	compiled: Compiled,
	now: number,
): Evaluation {
	return (variable.type === 'last' ? findLast : findHistory)(inSlotOrder(inputs, compiled), compiled, now);
}

/**
 * The value now: each input as a variable of type last. Its time is its oldest input's, for it is no younger; a formula
 * without inputs is as young as the question.
 */
function findLast(inputs: readonly InputResult[], compiled: Compiled, now: number): Evaluation {
	const judged = inputs.map((input) => newestOf(input, now));
	const slots = new Float64Array(compiled.names.length);
	const value = valueAt(
		compiled,
		judged.map((point) => point.value),
		slots,
	);
	const times = judged.map(({ time }) => time);
	const inputTimes = inputTimesOf(times);
	const time = inputs.length === 0 ? now : times.includes(null) ? null : inputTimes.oldest;
	return { shown: { type: 'last', value, time }, ...qualityAt(compiled, judged, value, slots), bits: null, inputTimes };
}

/**
 * The history: the instants are the union of the inputs' windows, and an input without that window makes the instant null.
 * Nothing is carried forward. The quality is the newest instant's (design section 5).
 */
function findHistory(inputs: readonly InputResult[], compiled: Compiled, now: number): Evaluation {
	const columns = inputs.map(({ result }) => ('fault' in result ? { times: [], values: [] } : result));
	const cursors = columns.map(() => 0);
	const slots = new Float64Array(compiled.names.length);
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
		series.push([time, valueAt(compiled, operands, slots)]);
	}
	const newest = series.at(-1);
	const judged = inputs.map((input): NewestPoint => {
		const point = newestOf(input, now);
		const absent = point.time !== null && newest !== undefined && point.time !== newest[0];
		return absent ? { ...point, value: null, quality: 'no_data', code: 'no_data' } : point;
	});
	const inputTimes = inputTimesOf(judged.map(({ sampledAt }) => sampledAt));
	if (newest === undefined && inputs.length === 0)
		return { shown: { type: 'history', series }, quality: 'no_data', reason: reasonOf('no_data', []), bits: null, inputTimes };
	return {
		shown: { type: 'history', series },
		...qualityAt(compiled, judged, newest?.[1] ?? null, slots),
		bits: null,
		inputTimes,
	};
}

/** The inputs in the order of the formula's slots. */
const inSlotOrder = (inputs: readonly InputResult[], { names }: Compiled): readonly InputResult[] =>
	names.flatMap((name) => inputs.filter((input) => input.name === name));

/** The formula's value at one instant. An absent operand decides first: it gives null, and no fault of the formula. */
function valueAt(compiled: Compiled, operands: readonly (number | null)[], slots: Float64Array): number | null {
	for (const [slot, operand] of operands.entries()) {
		if (operand === null) return null;
		slots[slot] = operand;
	}
	const value = compiled.evaluate(slots);
	return Number.isFinite(value) ? value : null;
}

function inputTimesOf(times: readonly (number | null)[]): InputTimes {
	const known = times.filter((time) => time !== null);
	return { oldest: oldestOf(known), newest: known.length === 0 ? null : Math.max(...known) };
}

/** The quality of an instant whose inputs are judged: theirs at worst, and bad where the formula itself has no value. */
function qualityAt(
	compiled: Compiled,
	judged: readonly NewestPoint[],
	value: number | null,
	slots: Float64Array,
): { quality: Quality; reason: Reason | null } {
	if (value === null && judged.every((point) => point.value !== null)) {
		const { fault, names } = compiled.diagnose(slots);
		return { quality: 'bad', reason: reasonOf(fault, names) };
	}
	return worstOf(judged);
}

const oldestOf = (times: readonly number[]): number | null => (times.length === 0 ? null : Math.min(...times));
