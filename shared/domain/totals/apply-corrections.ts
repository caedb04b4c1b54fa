import { type Correction, spanOfCorrection } from '../board/correction.ts';
import { combineSignals } from './combine-signals.ts';
import { countBefore, type Signal } from './signal.ts';

/** A time range [start, stop) with the correction that applies in it: of all corrections that cover it, the one with the highest id. */
export interface CorrectedSpan {
	readonly start: number;
	readonly stop: number;
	readonly correction: Correction;
}

/**
 * Rewrites a signal by corrections of its variable (shared/domain/totals/README.md#corrections). Without corrections it is the same signal.
 *
 * - `exclude` removes the samples in its time. The signal is unknown from its beginning to the next sample after it.
 * - `value` sets one value until its end. From there to the next sample, the signal is unknown.
 * - `exchange` has an effect only with `isCounter`. It moves the readings of the new meter so that they continue those of the old meter.
 *
 * @param corrections of the variable, in any order
 * @param isCounter whether the signal is read as a counter: the readings of other signals are not moved
 */
export function applyCorrections(
	signal: Signal,
	corrections: readonly Correction[],
	{ isCounter }: { readonly isCounter: boolean },
): Signal {
	const applied = effectiveCorrections(corrections, { isCounter });
	const spans = correctedSpans(applied);
	if (spans.length === 0) return signal;
	const rewritten = rewrite(signal, spans);
	const moves = applied.flatMap(moveOf).sort((a, b) => a.at - b.at || a.id - b.id);
	return moves.length === 0 ? rewritten : moved(rewritten, moves);
}

/** Returns the corrections that have an effect: an exchange of a meter has none on a signal that is not a counter. */
export function effectiveCorrections(
	corrections: readonly Correction[],
	{ isCounter }: { readonly isCounter: boolean },
): readonly Correction[] {
	return corrections.filter(({ type }) => isCounter || type !== 'exchange');
}

/**
 * Returns the times that corrections cover, ascending and without overlap. Each time is painted once, by the highest id first: sorting takes
 * n log n, painting about n.
 */
export function correctedSpans(corrections: readonly Correction[]): readonly CorrectedSpan[] {
	const cuts = cutsOf(corrections);
	const painted: (Correction | undefined)[] = new Array(cuts.length);
	/** For each place, the place at which the search for the next unpainted one goes on. */
	const next = Int32Array.from(cuts, (_, place) => place);
	const unpainted = (from: number): number => {
		let place = from;
		for (let to = next[place] ?? place; to !== place; to = next[place] ?? place) {
			next[place] = next[to] ?? to;
			place = to;
		}
		return place;
	};
	for (const correction of corrections.toSorted((a, b) => b.id - a.id)) {
		const { start, stop } = spanOfCorrection(correction);
		const end = countBefore(cuts, stop);
		for (let place = unpainted(countBefore(cuts, start)); place < end; place = unpainted(place)) {
			painted[place] = correction;
			next[place] = place + 1;
		}
	}
	const found: { start: number; stop: number; correction: Correction }[] = [];
	for (const [place, correction] of painted.entries()) {
		const [start = 0, stop = start] = [cuts[place], cuts[place + 1]];
		const last = found.at(-1);
		if (correction === undefined) continue;
		if (last?.correction === correction && last.stop === start) last.stop = stop;
		else found.push({ start, stop, correction });
	}
	return found;
}

/** Returns the times at which corrections begin or end, ascending and distinct. */
function cutsOf(corrections: readonly Correction[]): Float64Array {
	const cuts = new Float64Array(2 * corrections.length);
	for (const [index, correction] of corrections.entries()) {
		const { start, stop } = spanOfCorrection(correction);
		cuts[2 * index] = start;
		cuts[2 * index + 1] = stop;
	}
	return cuts.sort().filter((cut, index, sorted) => cut !== sorted[index - 1]);
}

/** Replaces the samples under corrections. Where a sample is no longer known, a sample without a number follows. */
function rewrite(signal: Signal, spans: readonly CorrectedSpan[]): Signal {
	const { times, values } = combineSignals([signal], ([value = Number.NaN]) => value);
	const { holdMs } = signal;
	const samples: { time: number; value: number }[] = [];
	let position = 0;
	/** Until when the reading at an exchange is known; Infinity when there is no such reading. */
	let knownUntil = Number.POSITIVE_INFINITY;
	const endBefore = (time: number): void => {
		if (knownUntil < time) samples.push({ time: knownUntil, value: Number.NaN });
		knownUntil = Number.POSITIVE_INFINITY;
	};
	const copyUntil = (stop: number): void => {
		for (; position < times.length && (times[position] ?? stop) < stop; position += 1) {
			const time = times[position] ?? stop;
			endBefore(time);
			samples.push({ time, value: values[position] ?? Number.NaN });
		}
		endBefore(stop);
	};
	for (const [index, { start, stop, correction }] of spans.entries()) {
		copyUntil(start);
		while (position < times.length && (times[position] ?? stop) < stop) position += 1;
		const { type, value = Number.NaN, newInitial = Number.NaN } = correction;
		samples.push({ time: start, value: type === 'exclude' ? Number.NaN : type === 'value' ? value : newInitial });
		if (type === 'exchange') knownUntil = start + holdMs;
		else if (type === 'value' && spans[index + 1]?.start !== stop && times[position] !== stop)
			samples.push({ time: stop, value: Number.NaN });
	}
	copyUntil(Number.POSITIVE_INFINITY);
	return {
		times: Float64Array.from(samples, ({ time }) => time),
		values: Float64Array.from(samples, ({ value }) => value),
		holdMs: Number.POSITIVE_INFINITY,
	};
}

/** By how much the readings at and after an exchange are moved. */
interface Move {
	readonly at: number;
	readonly id: number;
	readonly by: number;
}

const moveOf = ({ id, type, at, oldFinal, newInitial }: Correction): Move[] =>
	type !== 'exchange' || at === undefined || oldFinal === undefined || newInitial === undefined
		? []
		: [{ at, id, by: oldFinal - newInitial }];

/** Moves the readings of each new meter so that they go on from the old one's. Of two exchanges at one time the higher id counts. */
function moved({ times, values, holdMs }: Signal, moves: readonly Move[]): Signal {
	const counted = moves.filter(({ at }, index) => moves[index + 1]?.at !== at);
	let next = 0;
	let by = 0;
	const readings = values.map((value, index) => {
		for (; next < counted.length && (counted[next]?.at ?? 0) <= (times[index] ?? 0); next += 1) by += counted[next]?.by ?? 0;
		return value + by;
	});
	return { times, values: readings, holdMs };
}
