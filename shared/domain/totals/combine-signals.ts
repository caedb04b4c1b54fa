import type { Signal } from './signal.ts';

/**
 * Combines signals into one that is known where all of them are and the result is finite. It has a sample where any of them has one.
 * Its samples hold until the next one: where a signal is no longer known, a sample without a number follows.
 * @param evaluate returns the value for the values of all signals, in their order; NaN or infinite for none
 * @example
 * combineSignals([level, inflow], ([metres = Number.NaN]) => metres); // the level, where the inflow is known, too
 */
export function combineSignals(signals: readonly Signal[], evaluate: (values: Float64Array) => number): Signal {
	const operands = new Float64Array(signals.length).fill(Number.NaN);
	const change = (position: number, value: number): void => {
		operands[position] = value;
	};
	return mergeSignals(signals, change, () => (operands.some(Number.isNaN) ? Number.NaN : evaluate(operands)));
}

/**
 * Merges signals into one, as `combineSignals` does, whether all of them are known or not. An instant costs nothing for the signals that stay
 * as they are. Both functions are called in the order of time.
 * @param change takes the position of a signal and the value that it has from now on, NaN where it is not known any more
 * @param valueAt returns the value after all changes at an instant; NaN or infinite for none. It is called more than once for a millisecond in
 * which a signal has several samples
 */
export function mergeSignals(
	signals: readonly Signal[],
	change: (position: number, value: number) => void,
	valueAt: (at: number) => number,
): Signal {
	const changes = changesOf(signals);
	const times = new Float64Array(changes.order.length);
	const values = new Float64Array(changes.order.length);
	let count = 0;
	for (const [index, each] of changes.order.entries()) {
		change(changes.positions[each] ?? 0, changes.values[each] ?? Number.NaN);
		const next = changes.order[index + 1];
		if (next !== undefined && changes.compare(each, next) === 0) continue;
		const at = changes.times[each] ?? 0;
		const value = valueAt(at);
		times[count] = at;
		values[count] = Number.isFinite(value) ? value : Number.NaN;
		count += 1;
	}
	return { times: times.slice(0, count), values: values.slice(0, count), holdMs: Number.POSITIVE_INFINITY };
}

/** Returns the changes of signals: their samples, and the ends of holds. `order` has them in the order of time. */
function changesOf(signals: readonly Signal[]) {
	// Each sample, and each end of a hold, is one at most.
	const most = 2 * signals.reduce((sum, { times }) => sum + times.length, 0);
	const [times, values] = [new Float64Array(most), new Float64Array(most)];
	const [positions, rounds] = [new Uint32Array(most), new Uint32Array(most)];
	let count = 0;
	const add = (at: number, value: number, position: number, isRepeated: boolean): void => {
		times[count] = at;
		values[count] = value;
		positions[count] = position;
		// How many changes of the signal came before in the same millisecond.
		rounds[count] = isRepeated ? (rounds[count - 1] ?? 0) + 1 : 0;
		count += 1;
	};
	for (const [position, signal] of signals.entries())
		for (const [index, time] of signal.times.entries()) {
			add(time, signal.values[index] ?? Number.NaN, position, signal.times[index - 1] === time);
			const end = time + signal.holdMs;
			// A sample is known until the next one, or until its hold ends before that.
			if (end < (signal.times[index + 1] ?? Number.POSITIVE_INFINITY)) add(end, Number.NaN, position, false);
		}
	const compare = (a: number, b: number): number => (times[a] ?? 0) - (times[b] ?? 0) || (rounds[a] ?? 0) - (rounds[b] ?? 0);
	// The changes of each signal are in order already, and the sort merges such runs.
	const order = Array.from({ length: count }, (_, index) => index).sort(compare);
	return { times, values, positions, order, compare };
}
