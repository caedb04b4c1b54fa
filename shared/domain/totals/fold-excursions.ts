import { foldSignal, isOnAt, type OnRule } from './fold-signal.ts';
import { countBefore, countUpTo, type Signal, stretchesOf } from './signal.ts';
import type { BoundedValue } from './signal-values.ts';

/** Which excursions count: stretches outside of limits that last `forMs` or longer. */
export interface ExcursionsRule extends OnRule {
	readonly forMs: number;
}

/** The excursions of a window (a, b]. Each is counted at the moment when it has lasted long enough. Durations are milliseconds. */
export interface ExcursionsState {
	readonly span: number;
	readonly known: number;
	readonly count: number;
	/** How many there were at least, and at most, whatever happened in the unknown time. */
	readonly low: number;
	readonly high: number;
}

/**
 * Counts excursions in consecutive windows (shared/domain/totals/LIMITS.md#excursions).
 * @param signal is read from `forMs` before the first window
 */
export function foldExcursions(signal: Signal, rule: ExcursionsRule, bounds: readonly number[]): readonly ExcursionsState[] {
	const { forMs } = rule;
	const found = findChains(signal, rule, { from: (bounds[0] ?? 0) - forMs, to: bounds.at(-1) ?? 0 });
	const moments = Float64Array.from(found.moments);
	const gaps = { starts: Float64Array.from(found.gapStarts), stops: Float64Array.from(found.gapStops) };
	/** The first chain that may reach into the window. */
	let first = 0;
	return foldSignal(signal, bounds).map(({ from, span, known }) => {
		const to = from + span;
		const count = countUpTo(moments, to) - countUpTo(moments, from);
		let [low, high] = [0, 0];
		while ((found.chains[first]?.stop ?? to) < from) first += 1;
		for (let index = first; (found.chains[index]?.start ?? to) < to; index += 1) {
			const chain = found.chains[index];
			if (chain === undefined) break;
			// A stretch that may have begun at or before this was counted in an earlier window.
			if (chain.start > from - forMs && chain.firstMoment <= to) low += 1;
			high += mostIn(chain, { from, to }, forMs, gaps);
		}
		return { span, known, count, low, high };
	});
}

/** Merges the states of consecutive windows. The sums of bounds hold the truth of both, and may be wider than need be. */
export function mergeExcursions(earlier: ExcursionsState, later: ExcursionsState): ExcursionsState {
	return {
		span: earlier.span + later.span,
		known: earlier.known + later.known,
		count: earlier.count + later.count,
		low: earlier.low + later.low,
		high: earlier.high + later.high,
	};
}

/** Returns the number of a window. */
export function excursionsValue({ span, known, count, low, high }: ExcursionsState): BoundedValue & { known: number | null } {
	return { value: known === 0 ? null : count, low, high, known: span === 0 ? null : known / span };
}

/** A time in which the signal is never known to be within the limits. */
interface Chain {
	readonly start: number;
	readonly stop: number;
	/** The first moment at which it was known to be outside for `forMs` without a gap; Infinity: there is none. */
	readonly firstMoment: number;
}

/** The times of a range in which a signal may be outside of limits. All are ascending. */
interface Chains {
	/** The chains of `forMs` or longer. */
	readonly chains: readonly Chain[];
	/** The moments at which it was known to be outside for `forMs` without a gap: one of each stretch. */
	readonly moments: readonly number[];
	/** The gaps of all chains, in which it is unknown. */
	readonly gapStarts: readonly number[];
	readonly gapStops: readonly number[];
}

function findChains(
	signal: Signal,
	{ forMs, ...limits }: ExcursionsRule,
	range: { readonly from: number; readonly to: number },
): Chains {
	const chains: Chain[] = [];
	const moments: number[] = [];
	const [gapStarts, gapStops]: [number[], number[]] = [[], []];
	/** The beginnings of the present chain and of its present known stretch; NaN: there is none. */
	let [chainStart, knownStart] = [Number.NaN, Number.NaN];
	let firstMoment = Number.POSITIVE_INFINITY;
	const endKnown = (stop: number): void => {
		if (stop - knownStart >= forMs) {
			moments.push(knownStart + forMs);
			firstMoment = Math.min(firstMoment, knownStart + forMs);
		}
		knownStart = Number.NaN;
	};
	const endChain = (stop: number): void => {
		endKnown(stop);
		if (stop - chainStart >= forMs) chains.push({ start: chainStart, stop, firstMoment });
		chainStart = Number.NaN;
		firstMoment = Number.POSITIVE_INFINITY;
	};
	const { times, values } = stretchesOf(signal, range);
	for (const [index, value] of values.entries()) {
		const [start = 0, stop = start] = [times[index], times[index + 1]];
		const isUnknown = Number.isNaN(value);
		if (!isUnknown && !isOnAt(value, limits)) {
			if (!Number.isNaN(chainStart)) endChain(start);
			continue;
		}
		if (Number.isNaN(chainStart)) chainStart = start;
		if (!isUnknown) {
			if (Number.isNaN(knownStart)) knownStart = start;
			continue;
		}
		endKnown(start);
		gapStarts.push(start);
		gapStops.push(stop);
	}
	if (!Number.isNaN(chainStart)) endChain(range.to);
	return { chains, moments, gapStarts, gapStops };
}

/**
 * Returns how many excursions fit into a chain with their moments in (from, to]. Each begins as early as it can, and ends at the first instant in a
 * gap at which it has lasted long enough: there the signal may have been within for no time.
 */
function mostIn(
	chain: Chain,
	{ from, to }: { readonly from: number; readonly to: number },
	forMs: number,
	gaps: { readonly starts: Float64Array; readonly stops: Float64Array },
): number {
	const end = Math.min(chain.stop, to);
	let count = 0;
	// Without a gap, a stretch that began at or before `from - forMs` goes on: it was counted before.
	let earliest = from - forMs + 1;
	if (chain.start >= earliest) {
		if (chain.start + forMs > end) return 0;
		count = 1;
		earliest = chain.start + forMs;
	}
	for (;;) {
		const gap = countBefore(gaps.stops, earliest);
		const begin = Math.max(earliest, gaps.starts[gap] ?? Number.POSITIVE_INFINITY);
		if (begin + forMs > end) return count;
		// As many as fit into the gap follow each other. One more begins in it.
		const fitting = Math.floor((Math.min(gaps.stops[gap] ?? begin, end) - begin) / forMs);
		const last = begin + fitting * forMs;
		count += fitting;
		if (last + forMs > end) return count;
		count += 1;
		earliest = last + forMs;
	}
}
