import { advancingShare } from '../board/line.ts';
import { addSums, type ExactSum, noSum, valueOfSum } from './exact-sum.ts';
import { countBefore, countUpTo, isAcrossHandover, isWide, newestNumberBefore, type Signal } from './signal.ts';
import type { BoundedValue } from './signal-values.ts';

/** How the readings of a counter are to be understood (shared/domain/totals/README.md#counters). */
export interface CounterRule {
	/** The reading at which the counter begins again at 0; undefined: it never does. */
	readonly size?: number;
	/** By how much noise may let a reading fall. */
	readonly dip: number;
}

/** Two consecutive readings whose difference is not known. */
export interface CounterFault {
	readonly code: 'counter_fell' | 'counter_jumped';
	readonly from: { readonly at: number; readonly value: number };
	readonly to: { readonly at: number; readonly value: number };
}

/**
 * The state of a counter in a window (a, b]. The window includes its end, because a reading counts the time before it. States of
 * consecutive windows can be merged. Times are epoch milliseconds.
 */
export interface CounterState {
	readonly from: number;
	/** Differences of consecutive readings, each counted at the later one. */
	readonly increase: ExactSum;
	/** How many differences there are. */
	readonly pairs: number;
	/** Whether there is a reading at or before the beginning. */
	readonly hasBase: boolean;
	/**
	 * The pair of readings around the window's beginning, if it is wide: the counter is unknown at some time between the two (`isWide`). `at`
	 * is the time of the earlier one, `increase` their difference. How much of it was before the window is not known.
	 */
	readonly over: { readonly at: number; readonly increase: number } | null;
	/** Whether the counter is known at the window's end. */
	readonly isKnownAtEnd: boolean;
	readonly faults: readonly CounterFault[];
	/** Of a counter over stretches of time: how often one begins or ends in the window. */
	readonly edges?: number;
	/** The source changed between two readings in the window, whose difference does not count: there is no upper bound. */
	readonly isHandedOver?: true;
}

/** Which differences of a counter do not count. */
export interface CounterLimits {
	/**
	 * The time that counts (`commonTimeOf`), in which the counter is known; left out: all. A stretch counts from the value at its beginning to the
	 * last one at its end. A reading at its end counts the time before it, as in a window.
	 */
	readonly stretches?: Signal | undefined;
	/** The positions of readings whose difference to the one before is a fault whatever it is (`doubtfulReadings`). */
	readonly doubtful?: ReadonlySet<number>;
}

/**
 * Folds the readings of a counter over consecutive windows.
 * @param bounds n + 1 ascending epoch milliseconds: window i is (bounds[i], bounds[i + 1]]
 * @returns a state for each window
 */
export function foldCounter(
	signal: Signal,
	rule: CounterRule,
	bounds: readonly number[],
	{ stretches, doubtful }: CounterLimits = {},
): readonly CounterState[] {
	const { times, values } = signal;
	/** The position of the next sample, and that of the newest reading before it; -1: there is none. */
	let next = countUpTo(times, bounds[0] ?? 0);
	let before = newestNumberBefore(values, next);
	return bounds.slice(1).map((to, index) => {
		const from = bounds[index] ?? to;
		const hasBase = before >= 0;
		const faults: CounterFault[] = [];
		let increase = noSum;
		let pairs = 0;
		let over: CounterState['over'] = null;
		let isHandedOver = false;
		for (; next < times.length && (times[next] ?? 0) <= to; next += 1) {
			if (Number.isNaN(values[next])) continue;
			const isAcross = before >= 0 && isAcrossHandover(signal, before, next);
			isHandedOver ||= isAcross;
			if (before >= 0 && !isAcross && (stretches === undefined || isKnownBefore(stretches, times[next] ?? 0))) {
				const earlier = { at: times[before] ?? 0, value: values[before] ?? 0 };
				const later = { at: times[next] ?? 0, value: values[next] ?? 0 };
				const isDoubtful = doubtful?.has(next) === true;
				const difference = isDoubtful ? faultOf(earlier.value, later.value) : differenceOf(earlier.value, later.value, rule);
				if (typeof difference === 'string') faults.push({ code: difference, from: earlier, to: later });
				else {
					increase = addSums(increase, { sum: difference, error: 0 });
					pairs += 1;
					if (earlier.at < from && isWide(signal, before, next)) over = { at: earlier.at, increase: difference };
				}
			}
			before = next;
		}
		// The newest sample must be a reading, and must hold until after the end.
		const isKnownAtEnd = before >= 0 && before === next - 1 && to < (times[before] ?? 0) + signal.holdMs;
		const edges = stretches && { edges: countUpTo(stretches.times, to) - countUpTo(stretches.times, from) };
		const handedOver = isHandedOver ? ({ isHandedOver } as const) : {};
		return { from, increase, pairs, hasBase, over, isKnownAtEnd, faults, ...edges, ...handedOver };
	});
}

/** Merges the states of consecutive windows. */
export function mergeCounterStates(earlier: CounterState, later: CounterState): CounterState {
	return {
		from: earlier.from,
		increase: addSums(earlier.increase, later.increase),
		pairs: earlier.pairs + later.pairs,
		hasBase: earlier.hasBase,
		// One pair lies around the beginnings of both windows where `earlier` has no reading.
		over: earlier.over ?? (later.over !== null && later.over.at < earlier.from ? later.over : null),
		isKnownAtEnd: later.isKnownAtEnd,
		faults: [...earlier.faults, ...later.faults],
		...(earlier.edges === undefined || later.edges === undefined ? {} : { edges: earlier.edges + later.edges }),
		...(earlier.isHandedOver || later.isHandedOver ? { isHandedOver: true } : {}),
	};
}

/**
 * Returns how much a counter advanced over a window, with bounds. The value is null when one difference is not known. Without any
 * difference it is 0 where the counter was known for some time, else null.
 * @param knownMs for how long the counter was known, in milliseconds
 */
export function increaseOf(state: CounterState, knownMs: number): BoundedValue {
	if (state.faults.length > 0) return { value: null, low: null, high: null };
	const value = valueOfSum(state.increase);
	if (!Number.isFinite(value)) return { value: null, low: null, high: null, fault: 'overflow' };
	return {
		value: knownMs === 0 && state.pairs === 0 ? null : value,
		low: value - (state.over?.increase ?? 0),
		high: state.isKnownAtEnd && state.hasBase && !state.isHandedOver ? value : null,
	};
}

/**
 * Returns the difference of two readings, or why it is not known. When a counter with a size advances by more than `advancingShare` of it
 * between two readings, it was exchanged, or readings are missing.
 */
export function differenceOf(earlier: number, later: number, { size, dip }: CounterRule): number | CounterFault['code'] {
	const difference = later - earlier;
	if (size === undefined) return difference >= -dip ? difference : 'counter_fell';
	// The difference modulo the size, in [-dip, size - dip).
	const advance = difference - size * Math.floor((difference + dip) / size);
	if (advance <= advancingShare * size) return advance;
	return difference < -dip ? 'counter_fell' : 'counter_jumped';
}

/** Whether a stretch goes on until `time` at least. */
function isKnownBefore({ times, values }: Signal, time: number): boolean {
	return values[countBefore(times, time) - 1] === 1;
}

const faultOf = (earlier: number, later: number): CounterFault['code'] => (later < earlier ? 'counter_fell' : 'counter_jumped');
