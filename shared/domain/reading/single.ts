import { bitOf, isByte } from '../variable/bit.ts';
import type { BitCompressedVariable, SimpleVariable } from '../variable/variable.ts';
import { type InputResult, newestOf } from './input.ts';
import { bad, worstOf } from './quality.ts';
import type { BitState, Evaluation, HistoryPoint } from './reading.ts';

/**
 * What a variable of one query shows. A bit-compressed one shows bytes only: anything else is null, and `not_a_byte` where
 * it is the newest.
 */
export function findSingle(variable: SimpleVariable | BitCompressedVariable, input: InputResult, now: number): Evaluation {
	const valid = variable.binary_compressed ? isByte : Number.isFinite;
	const newest = newestOf(input, now);
	const notAByte = newest.value !== null && !valid(newest.value);
	const value = notAByte ? null : newest.value;
	const { quality, reason } = worstOf([notAByte ? { ...newest, ...bad('not_a_byte') } : newest]);
	const bits: BitState[] | null = variable.binary_compressed
		? variable.bits.map(({ id, name, bit }) => ({ id, name, bit, value: value === null ? null : bitOf(value, bit) }))
		: null;
	const shown =
		variable.type === 'last'
			? ({ type: 'last', value, time: newest.time } as const)
			: ({ type: 'history', series: pointsOf(input, valid) } as const);
	return { shown, quality, reason, bits, inputTimes: null };
}

function pointsOf({ result }: InputResult, valid: (value: number) => boolean): readonly HistoryPoint[] {
	if ('fault' in result) return [];
	return result.times.map((time, index) => {
		const value = result.values[index] ?? null;
		return [time, value !== null && valid(value) ? value : null];
	});
}
