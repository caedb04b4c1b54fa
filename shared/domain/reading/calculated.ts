import type { CompiledEquation } from '../equation/compile.ts';
import type { Series } from '../ports/time-series.ts';
import { subtract } from '../variable/duration.ts';
import type { CalculatedVariable } from '../variable/variable.ts';
import { type InputResult, type NewestPoint, newestPointOf } from './input.ts';
import { isWorse, maxAgeOf, type QualityWithReason, reasonOf, stale, worstOf } from './quality.ts';
import type { Evaluation, HistoryPoint, InputTimes } from './reading.ts';

/** Evaluates a calculated variable from the series of its inputs (shared/domain/reading/README.md#calculated-variables). */
export function evaluateCalculated(
	variable: CalculatedVariable,
	inputs: readonly InputResult[],
	equation: CompiledEquation,
	now: number,
): Evaluation {
	const inSlotOrder = equation.names.flatMap((name) => inputs.filter((input) => input.name === name));
	return variable.type === 'last' ? evaluateLast(inSlotOrder, equation, now) : evaluateHistory(inSlotOrder, equation, now);
}

/**
 * Evaluates a newest value. Its time is the oldest time of an input that the formula reaches; null where one has none. An equation without
 * inputs has the time of the request.
 */
function evaluateLast(inputs: readonly InputResult[], equation: CompiledEquation, now: number): Evaluation {
	const slots = equation.createSlots();
	const all = inputs.map((input) => newestPointOf(input, now));
	const value = valueAt(
		equation,
		all.map((point) => point.value),
		slots,
	);
	const points = equation.reached(slots).flatMap((slot) => all[slot] ?? []);
	const times = points.map(({ time }) => time);
	const inputTimes = inputTimesOf(times);
	const oldest = times.includes(null) ? null : inputTimes.oldest;
	const time = points.length === 0 ? now : oldest;
	return { content: { type: 'last', value, time }, ...qualityAt(equation, points, value, slots), bits: null, inputTimes };
}

/**
 * Evaluates a history. Its instants are the union of the inputs' windows. An instant is whole if every input that the formula reaches has a
 * number there. Any other instant is null, and does not decide the quality. An equation without inputs has one instant, the time of the
 * request.
 */
function evaluateHistory(inputs: readonly InputResult[], equation: CompiledEquation, now: number): Evaluation {
	const slots = equation.createSlots();
	const columns = inputs.map(({ result }) => ('fault' in result ? { times: [], values: [] } : result));
	const instants: Iterable<Instant> = inputs.length === 0 ? [{ time: now, operands: [] }] : instantsOf(columns);
	const series: HistoryPoint[] = [];
	let newestWhole: Instant | null = null;
	let newest: Instant | null = null;
	for (const instant of instants) {
		newest = instant;
		const value = valueAt(equation, instant.operands, slots);
		if (value !== null || equation.reached(slots).every((slot) => instant.operands[slot] !== null)) newestWhole = instant;
		series.push([instant.time, value]);
	}
	const reached = reachedAt([newest, newestWhole], equation, slots);
	const needed = inputs.filter((_, slot) => reached.has(slot));
	const verdicts = needed.map((input) => verdictOf(input, now));
	const ofInputs = worstOf(verdicts);
	const ofInstants = qualityOfInstants(inputs, reached, equation, { newest, newestWhole }, now);
	const inputTimes = inputTimesOf(verdicts.map(({ sampledAt }) => sampledAt));
	return {
		content: { type: 'history', series },
		...(isWorse(ofInstants.quality, ofInputs.quality) ? ofInstants : ofInputs),
		bits: null,
		inputTimes,
	};
}

/** The values of all inputs at one instant, null where an input has none. */
interface Instant {
	readonly time: number;
	readonly operands: readonly (number | null)[];
}

/** Returns the slots that the formula reaches at some instants; before any instant, those without any value. */
function reachedAt(instants: readonly (Instant | null)[], equation: CompiledEquation, slots: Float64Array): ReadonlySet<number> {
	return new Set(
		instants.flatMap((instant) => {
			for (const slot of equation.names.keys()) slots[slot] = instant?.operands[slot] ?? Number.NaN;
			return equation.reached(slots);
		}),
	);
}

type Columns = readonly Pick<Series, 'times' | 'values'>[];

/** Merges the windows of all inputs by time. Yields each time once, with the value of every input that has a window there. */
function* instantsOf(columns: Columns): Generator<Instant> {
	/** The position of the next window of each input. */
	const cursors = columns.map(() => 0);
	for (;;) {
		let time = Number.POSITIVE_INFINITY;
		for (const [index, { times }] of columns.entries())
			time = Math.min(time, times[cursors[index] ?? 0] ?? Number.POSITIVE_INFINITY);
		if (time === Number.POSITIVE_INFINITY) return;
		const operands = columns.map(({ times, values }, index) => {
			const cursor = cursors[index] ?? 0;
			if (times[cursor] !== time) return null;
			cursors[index] = cursor + 1;
			return values[cursor] ?? null;
		});
		yield { time, operands };
	}
}

/**
 * Returns the quality of an input of a history by the input's own period and lookback. The windows of the history can be longer and reach
 * back further.
 */
function verdictOf(input: InputResult, now: number): NewestPoint {
	const point = newestPointOf(input, now);
	const isTooOld = point.sampledAt !== null && point.sampledAt < subtract(now, input.lookback);
	return isTooOld && point.quality === 'good' ? { ...point, ...stale } : point;
}

/** Returns the quality of a history by its newest whole instant, without the qualities of the inputs. */
function qualityOfInstants(
	inputs: readonly InputResult[],
	reached: ReadonlySet<number>,
	equation: CompiledEquation,
	{ newest, newestWhole }: { readonly newest: Instant | null; readonly newestWhole: Instant | null },
	now: number,
): QualityWithReason {
	const absent = inputs.filter((_, slot) => reached.has(slot) && newest?.operands[slot] === null).map(({ name }) => name);
	if (newestWhole === null) return { quality: 'no_data', reason: reasonOf('no_common_window', absent) };
	const slots = equation.createSlots();
	if (valueAt(equation, newestWhole.operands, slots) === null) return faultOf(equation, slots);
	const isOld = inputs.some(
		({ key }, slot) => reached.has(slot) && key.read === 'history' && now - newestWhole.time > maxAgeOf(key.period),
	);
	return isOld ? { quality: 'stale', reason: reasonOf('no_common_window', absent) } : { quality: 'good', reason: null };
}

/** Evaluates the equation at one instant. Without an operand that it needs the value is null, before any fault of the equation. */
function valueAt(equation: CompiledEquation, operands: readonly (number | null)[], slots: Float64Array): number | null {
	for (const [slot, operand] of operands.entries()) slots[slot] = operand ?? Number.NaN;
	const value = equation.evaluate(slots);
	return Number.isFinite(value) ? value : null;
}

function inputTimesOf(times: readonly (number | null)[]): InputTimes {
	const present = times.filter((time) => time !== null);
	if (present.length === 0) return { oldest: null, newest: null };
	return { oldest: Math.min(...present), newest: Math.max(...present) };
}

/** The quality of a newest value: `bad` when the equation has no value over present operands, otherwise the inputs' worst. */
function qualityAt(
	equation: CompiledEquation,
	points: readonly NewestPoint[],
	value: number | null,
	slots: Float64Array,
): QualityWithReason {
	return value === null && points.every((point) => point.value !== null) ? faultOf(equation, slots) : worstOf(points);
}

/** Returns the quality `bad` with the fault of the equation. `slots`: the operands over which it has no value. */
function faultOf(equation: CompiledEquation, slots: Float64Array): QualityWithReason {
	const { fault, names } = equation.diagnose(slots);
	return { quality: 'bad', reason: reasonOf(fault, names) };
}
