import { bitOf, isByte } from '../variable/byte.ts';

/** The value of a variable at each instant, as samples, each of which holds until the next one (shared/domain/totals/README.md#signals). */
export interface Signal {
	/** Ascending epoch milliseconds. Samples of one millisecond follow one another: the last of them holds. */
	readonly times: Float64Array;
	/** One for each time; NaN where a sample has no number. */
	readonly values: Float64Array;
	/** How long a sample is known at most, in milliseconds: it ends before that where the next sample follows. */
	readonly holdMs: number;
	/**
	 * Ascending times from which on samples are of another source than those before. A difference across one does not count: it may be that of
	 * two meters. Left out: there are none.
	 */
	readonly handovers?: Float64Array;
}

/** Tells whether the source changed between two samples, given by their positions. */
export function isAcrossHandover({ times, handovers }: Signal, earlier: number, later: number): boolean {
	if (handovers === undefined) return false;
	const next = countUpTo(handovers, times[earlier] ?? 0);
	return (handovers[next] ?? Number.POSITIVE_INFINITY) <= (times[later] ?? 0);
}

/** Returns the number of times up to `time`, itself included. */
export function countUpTo(times: Float64Array, time: number): number {
	let count = countBefore(times, time);
	while (times[count] === time) count += 1;
	return count;
}

/**
 * Creates the signal of the samples of one source. Samples of one time keep their order.
 * @param values one for each time: finite, or NaN
 */
export function createSignal(times: Float64Array, values: Float64Array, holdMs: number): Signal {
	// Stores return samples in order.
	if (isAscending(times)) return { times, values, holdMs };
	const order = Array.from(times.keys()).sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
	const ordered = (numbers: Float64Array): Float64Array => Float64Array.from(order, (index) => numbers[index] ?? Number.NaN);
	return { times: ordered(times), values: ordered(values), holdMs };
}

/** Returns the signal of one bit of a byte. A sample that is no byte has no number. */
export function bitSignal(signal: Signal, position: number): Signal {
	return { ...signal, values: signal.values.map((value) => (isByte(value) ? bitOf(value, position) : Number.NaN)) };
}

function isAscending(times: Float64Array): boolean {
	for (let index = 1; index < times.length; index += 1) if ((times[index] ?? 0) < (times[index - 1] ?? 0)) return false;
	return true;
}

/** Returns the number of times before `time`: the position of the first sample at or after it. */
export function countBefore(times: Float64Array, time: number): number {
	let low = 0;
	let high = times.length;
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		if ((times[middle] ?? 0) < time) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** Returns the position of the newest sample with a number before position `next`; -1 where there is none. */
export function newestNumberBefore(values: Float64Array, next: number): number {
	let position = next - 1;
	while (position >= 0 && Number.isNaN(values[position])) position -= 1;
	return position;
}

/** The stretches of a signal in a range: each has one value, NaN where the signal is unknown, and the next one has another. */
export interface Stretches {
	/** The beginning of each, and the end of the range. */
	readonly times: readonly number[];
	readonly values: readonly number[];
}

/** Returns the stretches of a signal that make up [from, to). */
export function stretchesOf(
	{ times, values, holdMs }: Signal,
	{ from, to }: { readonly from: number; readonly to: number },
): Stretches {
	const found: { readonly times: number[]; readonly values: number[] } = { times: [], values: [] };
	let last: number | null = null;
	let position = countUpTo(times, from) - 1;
	for (let at = from; at < to; position += 1) {
		const following = position + 1 < times.length ? (times[position + 1] ?? to) : to;
		const next = following < to ? following : to;
		const value = position < 0 ? Number.NaN : (values[position] ?? Number.NaN);
		const end = Number.isNaN(value) ? at : (times[position] ?? at) + holdMs;
		if (end > at && next > at && value !== last) {
			found.times.push(at);
			found.values.push(value);
			last = value;
		}
		if (end < next && (last === null || !Number.isNaN(last))) {
			found.times.push(end > at ? end : at);
			found.values.push(Number.NaN);
			last = Number.NaN;
		}
		at = next;
	}
	found.times.push(to);
	return found;
}

/**
 * Tells whether two consecutive samples with a number are wide: the signal is unknown at some time between them, because they are further
 * apart than the hold, or because samples without a number lie between.
 * @param earlier position of the earlier one
 */
export function isWide({ times, holdMs }: Signal, earlier: number, later: number): boolean {
	return later > earlier + 1 || (times[later] ?? 0) > (times[earlier] ?? 0) + holdMs;
}
