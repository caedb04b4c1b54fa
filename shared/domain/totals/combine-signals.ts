import type { Signal } from './signal.ts';

/**
 * Combines signals into one that is known where all of them are and the result is finite. It has a sample where any of them has one.
 * Its samples hold until the next one: where a signal is no longer known, a sample without a number follows.
 * @param evaluate returns the value for the values of all signals, in their order; NaN or infinite for none
 * @example
 * combineSignals([level, inflow], ([metres = Number.NaN]) => metres); // the level, where the inflow is known, too
 */
export function combineSignals(signals: readonly Signal[], evaluate: (values: Float64Array) => number): Signal {
	return mergeSignals(signals, (values) => (values.some(Number.isNaN) ? Number.NaN : evaluate(values)));
}

/**
 * Merges signals into one, as `combineSignals` does, whether all of them are known or not.
 * @param evaluate returns the value for the values of all signals at an instant, NaN for one that is not known. It is called in the order of
 * time; more than once for a millisecond in which a signal has several samples
 */
export function mergeSignals(signals: readonly Signal[], evaluate: (values: Float64Array, at: number) => number): Signal {
	const instants = instantsOf(signals);
	// Each sample, and each end of a hold, adds one at most.
	const most = 2 * signals.reduce((sum, { times }) => sum + times.length, 0);
	const [times, values] = [new Float64Array(most), new Float64Array(most)];
	let count = 0;
	const operands = new Float64Array(signals.length);
	/** Each signal with the position of its newest sample; -1: none yet. */
	const tracks = signals.map((signal) => ({ signal, position: -1 }));
	for (let index = 0; index < instants.length; ) {
		const at = instants[index] ?? 0;
		let hasMore = false;
		for (const [slot, track] of tracks.entries()) {
			const { signal } = track;
			if ((signal.times[track.position + 1] ?? Number.POSITIVE_INFINITY) <= at) track.position += 1;
			hasMore ||= (signal.times[track.position + 1] ?? Number.POSITIVE_INFINITY) <= at;
			const isKnown = at < (signal.times[track.position] ?? Number.NEGATIVE_INFINITY) + signal.holdMs;
			operands[slot] = isKnown ? (signal.values[track.position] ?? Number.NaN) : Number.NaN;
		}
		const value = evaluate(operands, at);
		times[count] = at;
		values[count] = Number.isFinite(value) ? value : Number.NaN;
		count += 1;
		if (!hasMore) index += 1;
	}
	return { times: times.slice(0, count), values: values.slice(0, count), holdMs: Number.POSITIVE_INFINITY };
}

/** Returns the times at which any signal has a sample or ceases to be known, ascending and distinct. */
function instantsOf(signals: readonly Signal[]): Float64Array {
	const instants = new Float64Array(2 * signals.reduce((sum, { times }) => sum + times.length, 0));
	let count = 0;
	for (const { times, holdMs } of signals)
		for (const [index, time] of times.entries()) {
			instants[count] = time;
			count += 1;
			// A sample is known until the next one, or until its hold ends before that.
			if (time + holdMs >= (times[index + 1] ?? Number.POSITIVE_INFINITY)) continue;
			instants[count] = time + holdMs;
			count += 1;
		}
	const sorted = instants.subarray(0, count).sort();
	return sorted.filter((time, index) => time !== sorted[index - 1]);
}
