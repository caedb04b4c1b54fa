import type { PointFault } from '#domain/ports/time-series.ts';
import { nameOfSource } from '#domain/totals/join-sources.ts';
import { parseMs, subMsOf } from '../influx-common/rfc3339.ts';
import { maxExactInteger, typeBits } from '../series-points.ts';

/** The type bits of the columns that can hold values, by the column types of annotated CSV. */
export const columnTypeBits: ReadonlyMap<string, number> = new Map([
	['double', typeBits.float],
	['long', typeBits.int],
	['unsignedLong', typeBits.uint],
	['boolean', typeBits.bool],
	['string', typeBits.string],
]);

/** The rows of one series in one result, of all its tag sets, in the order in which they came. */
export interface Samples {
	/** Epoch milliseconds; as long as `values`. */
	readonly times: number[];
	/** Nanoseconds beyond the millisecond, by index; no entry means 0. */
	readonly subMs: Map<number, number>;
	/** Finite; 0 for a sample that has a fault. */
	readonly values: number[];
	readonly faults: Map<number, PointFault>;
	/** A set of type bits. */
	types: number;
	/** The tag sets of the rows, in order. Those of one tag set and type follow one another, except in results without tags. */
	readonly runs: SampleRun[];
}

/** Rows of one tag set and type: from index `from` to the next run. */
export interface SampleRun {
	readonly tags: readonly (readonly [name: string, value: string])[];
	/** One of `typeBits`. */
	readonly type: number;
	readonly from: number;
}

/** Integers of at most this many characters are exact as numbers. */
const exactLength = 15;
const maxExact = BigInt(maxExactInteger);

/** Returns an empty set of rows. */
export function noSamples(): Samples {
	return { times: [], subMs: new Map(), values: [], faults: new Map(), types: 0, runs: [] };
}

/**
 * Adds one row.
 * @param time RFC 3339
 * @param type the type bit of the column of values
 * @throws RangeError when the time or the value is malformed
 */
export function addSample(samples: Samples, time: string, value: string, type: number): void {
	const index = samples.times.length;
	const ms = parseMs(time);
	if (Number.isNaN(ms)) throw new RangeError('A time is not in the format of RFC 3339.');
	const subMs = subMsOf(time);
	const number = numberOf(value, type);
	samples.types |= type;
	samples.times.push(ms);
	if (subMs !== 0) samples.subMs.set(index, subMs);
	if (typeof number === 'string') samples.faults.set(index, number);
	samples.values.push(typeof number === 'string' ? 0 : number);
}

/** Returns the rows of each source, by its name. */
export function sourcesIn(samples: Samples | undefined): ReadonlyMap<string, Samples> {
	const sources = new Map<string, Samples>();
	for (const [index, run] of (samples?.runs ?? []).entries()) {
		const rows = sources.get(nameOfSource(run)) ?? noSamples();
		sources.set(nameOfSource(run), rows);
		const to = samples?.runs[index + 1]?.from ?? samples?.times.length ?? 0;
		for (let from = run.from; from < to; from += 1) {
			const [subMs, fault] = [samples?.subMs.get(from), samples?.faults.get(from)];
			if (subMs !== undefined) rows.subMs.set(rows.times.length, subMs);
			if (fault !== undefined) rows.faults.set(rows.times.length, fault);
			rows.times.push(samples?.times[from] ?? 0);
			rows.values.push(samples?.values[from] ?? 0);
		}
	}
	return sources;
}

/** Returns the number that a cell holds, or why there is none. */
export function numberOf(value: string, type: number): number | PointFault {
	if (type === typeBits.string) return 'not_numeric';
	if (type === typeBits.bool) return value === 'true' ? 1 : 0;
	const number = Number(value);
	if (value !== '' && !Number.isNaN(number)) return type === typeBits.float || isExact(value) ? number : 'precision';
	// A sum beyond the largest float is infinite.
	if (value === '+Inf' || value === '-Inf' || value === 'NaN') return 'precision';
	throw new RangeError('A value is not a number.');
}

/** Whether a number holds an integer exactly. */
function isExact(text: string): boolean {
	if (text.length <= exactLength) return true;
	const value = BigInt(text);
	return value <= maxExact && value >= -maxExact;
}
