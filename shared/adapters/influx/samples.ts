import type { PointFault } from '#domain/ports/time-series.ts';
import { parseMs, subMsOf } from './rfc3339.ts';

/** The types of a column of values, as sets of bits. */
export const valueTypes = { double: 1, long: 2, unsignedLong: 4, boolean: 8, string: 16 } as const;

const bits: ReadonlyMap<string, number> = new Map(Object.entries(valueTypes));

/** The rows of one series in one result, of all its tag sets, in the order in which they came. */
export interface Samples {
	/** Epoch milliseconds; as long as `values`. */
	readonly times: number[];
	/** Nanoseconds beyond them, where there are any, by index. */
	readonly subMs: Map<number, number>;
	/** Finite; where `faults` says why there is none, 0. */
	readonly values: number[];
	readonly faults: Map<number, PointFault>;
	/** A set of `valueTypes`. */
	types: number;
}

/** No rows yet. */
export function noSamples(): Samples {
	return { times: [], subMs: new Map(), values: [], faults: new Map(), types: 0 };
}

/** The bit of a column's type as the answer names it; undefined for one that values cannot have. */
export function typeBit(name: string): number | undefined {
	return bits.get(name);
}

/** Integers of fewer characters are exact as numbers. */
const exactLength = 15;

const maxExact = 2n ** 53n;

/** Adds one row. @param time RFC 3339. Throws RangeError where a cell is not of its type. */
export function addSample(samples: Samples, time: string, value: string, type: number): void {
	const index = samples.times.length;
	const ms = parseMs(time);
	const subMs = subMsOf(time);
	if (Number.isNaN(ms)) throw new RangeError('A time is not as RFC 3339 has it.');
	samples.types |= type;
	samples.times.push(ms);
	if (subMs !== 0) samples.subMs.set(index, subMs);
	if (type === valueTypes.boolean) {
		samples.values.push(value === 'true' ? 1 : 0);
		return;
	}
	if (type === valueTypes.string) {
		samples.faults.set(index, 'not_numeric');
		samples.values.push(0);
		return;
	}
	const number = Number(value);
	// Infinity is what a sum beyond the largest float became.
	const infinite = value === '+Inf' || value === '-Inf' || value === 'NaN';
	if (value === '' || (Number.isNaN(number) && !infinite)) throw new RangeError('A value is not a number.');
	if (infinite || (type !== valueTypes.double && !isExact(value))) samples.faults.set(index, 'precision');
	samples.values.push(samples.faults.has(index) ? 0 : number);
}

function isExact(text: string): boolean {
	if (text.length <= exactLength) return true;
	const value = BigInt(text);
	return value <= maxExact && value >= -maxExact;
}
