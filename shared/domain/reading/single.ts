import { bitOf, isByte } from '../variable/byte.ts';
import type { BitCompressedVariable, SimpleVariable } from '../variable/variable.ts';
import { type InputResult, newestPointOf } from './input.ts';
import { bad, worstOf } from './quality.ts';
import type { Evaluation, HistoryPoint, ReadingContent } from './reading.ts';

/**
 * Evaluates a variable with one query. A value of a bit-compressed variable that is not a byte becomes null; if it is the newest
 * value, the quality is `bad` with the code `not_a_byte`.
 */
export function evaluateSingle(variable: SimpleVariable | BitCompressedVariable, input: InputResult, now: number): Evaluation {
	const isValid = variable.binary_compressed ? isByte : Number.isFinite;
	const newest = newestPointOf(input, now);
	const notAByte = newest.value !== null && !isValid(newest.value);
	const value = notAByte ? null : newest.value;
	const { quality, reason } = worstOf([notAByte ? { ...newest, ...bad('not_a_byte') } : newest]);
	const bits = variable.binary_compressed
		? variable.bits.map(({ id, name, bit }) => ({ id, name, bit, value: value === null ? null : bitOf(value, bit) }))
		: null;
	const content: ReadingContent =
		variable.type === 'last' ? { type: 'last', value, time: newest.time } : { type: 'history', series: pointsOf(input, isValid) };
	return { content, quality, reason, bits, inputTimes: null };
}

function pointsOf({ result }: InputResult, isValid: (value: number) => boolean): readonly HistoryPoint[] {
	if ('fault' in result) return [];
	return result.times.map((time, index) => {
		const value = result.values[index] ?? null;
		return [time, value !== null && isValid(value) ? value : null];
	});
}
