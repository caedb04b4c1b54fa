import { type Correction, overlaps, spanOfCorrection } from '../board/correction.ts';
import type { Range } from '../variable/window.ts';
import { combineSignals } from './combine-signals.ts';
import type { EvaluatedLine } from './evaluate-lines.ts';
import { countBefore, newestNumberBefore, type Signal } from './signal.ts';
import type { TotalsLine } from './totals-request.ts';

/** A time range [start, stop) with the correction that applies in it: of all corrections that cover it, the one with the highest id. */
export interface CorrectedSpan {
	readonly start: number;
	readonly stop: number;
	readonly correction: Correction;
}

/** How a signal is read. `isCounter`: its increase is counted. */
export interface SignalUse {
	readonly isCounter: boolean;
}

/** A line, with the ids of the corrections of its variable that overlap the range, ascending. */
export interface CorrectedLine extends EvaluatedLine {
	readonly corrections: readonly number[];
}

/**
 * Rewrites a signal by corrections of its variable (shared/domain/totals/README.md#corrections). Without corrections it is the same signal.
 *
 * - `exclude` removes the samples in its time. The signal is unknown from its beginning to the next sample after it.
 * - `value` sets one value until its end. From there to the next sample, the signal is unknown.
 * - `exchange` has an effect only with `isCounter`. It moves the readings of the new meter so that they continue those of the old meter. Where these
 *   are of another source, that is no handover any more.
 *
 * @param corrections of the variable, in any order
 */
export function applyCorrections(signal: Signal, corrections: readonly Correction[], use: SignalUse): Signal {
	const applied = effectiveCorrections(corrections, use);
	const spans = correctedSpans(applied);
	if (spans.length === 0) return signal;
	const rewritten = rewrite(signal, spans);
	// All exchanges, also those that another correction covers: it changes the readings there, but the meter was replaced all the same.
	const moves = applied.flatMap(moveOf).sort((a, b) => a.at - b.at || a.id - b.id);
	const corrected = moves.length === 0 ? rewritten : moved(rewritten, moves);
	const { handovers } = signal;
	return handovers === undefined ? corrected : { ...corrected, handovers: handoversWithoutExchange(handovers, corrected, spans) };
}

/** Adds to each line the ids of the corrections of its variable that have an effect on it and overlap the range. */
export function withCorrections(
	evaluated: readonly EvaluatedLine[],
	{
		lines,
		corrections,
	}: { readonly lines: readonly TotalsLine[]; readonly corrections: ReadonlyMap<number, readonly Correction[]> },
	range: Range,
): readonly CorrectedLine[] {
	return evaluated.map((each, index) => {
		const line = lines[index];
		const own = line?.kind === 'signal' ? (corrections.get(line.varId) ?? []) : [];
		const isCounter = line?.kind === 'signal' && line.asked.function === 'increase';
		const applied = effectiveCorrections(own, { isCounter });
		return { ...each, corrections: applied.filter((correction) => overlaps(correction, range)).map(({ id }) => id) };
	});
}

/** Returns the corrections that have an effect: an exchange of a meter has none on a signal that is not a counter. */
export function effectiveCorrections(corrections: readonly Correction[], { isCounter }: SignalUse): readonly Correction[] {
	return corrections.filter(({ type }) => isCounter || type !== 'exchange');
}

/** Returns the times that corrections cover, ascending and without overlap. */
export function correctedSpans(corrections: readonly Correction[]): readonly CorrectedSpan[] {
	const cuts = cutsOf(corrections);
	const spans: { start: number; stop: number; correction: Correction }[] = [];
	for (const [place, correction] of decidingCorrections(cuts, corrections).entries()) {
		if (correction === undefined) continue;
		const start = cuts[place] ?? 0;
		const stop = cuts[place + 1] ?? start;
		const last = spans.at(-1);
		if (last?.correction === correction && last.stop === start) last.stop = stop;
		else spans.push({ start, stop, correction });
	}
	return spans;
}

/**
 * Returns for each place, [cuts[place], cuts[place + 1]), the correction with the highest id that covers it; undefined: none covers it.
 *
 * It paints the corrections from the highest id to the lowest and skips what is painted already. So each place is painted once: sorting
 * takes n log n, painting about n.
 */
function decidingCorrections(cuts: Float64Array, corrections: readonly Correction[]): readonly (Correction | undefined)[] {
	const painted: (Correction | undefined)[] = new Array(cuts.length);
	/** For each place: itself while it is not painted, then a later place at which the search for an unpainted one goes on. */
	const next = Int32Array.from(cuts, (_, place) => place);
	/** Returns the first unpainted place from `from` on. On its way it shortens the next search: each place skips the one after it. */
	const unpaintedFrom = (from: number): number => {
		let place = from;
		for (let following = next[place] ?? place; following !== place; following = next[place] ?? place) {
			next[place] = next[following] ?? following;
			place = following;
		}
		return place;
	};
	for (const correction of corrections.toSorted((a, b) => b.id - a.id)) {
		const { start, stop } = spanOfCorrection(correction);
		const endPlace = countBefore(cuts, stop);
		for (let place = unpaintedFrom(countBefore(cuts, start)); place < endPlace; place = unpaintedFrom(place)) {
			painted[place] = correction;
			next[place] = place + 1;
		}
	}
	return painted;
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
	// The same signal, with a sample without a number where a hold ends: what is copied then needs no hold.
	const { times, values } = combineSignals([signal], ([value = Number.NaN]) => value);
	const { holdMs } = signal;
	const samples: { time: number; value: number }[] = [];
	let position = 0;
	/** Until when the reading at an exchange is known; Infinity when there is no such reading. */
	let knownUntil = Number.POSITIVE_INFINITY;
	/** Ends the reading at an exchange, if it is no longer known at `time`. */
	const endReadingBefore = (time: number): void => {
		if (knownUntil < time) samples.push({ time: knownUntil, value: Number.NaN });
		knownUntil = Number.POSITIVE_INFINITY;
	};
	/** Copies the samples before `stop`. */
	const copyUntil = (stop: number): void => {
		for (; position < times.length && (times[position] ?? stop) < stop; position += 1) {
			const time = times[position] ?? stop;
			endReadingBefore(time);
			samples.push({ time, value: values[position] ?? Number.NaN });
		}
		endReadingBefore(stop);
	};
	for (const [index, { start, stop, correction }] of spans.entries()) {
		copyUntil(start);
		// Leaves out the samples under the correction.
		while (position < times.length && (times[position] ?? stop) < stop) position += 1;
		const { type } = correction;
		samples.push({ time: start, value: valueAtStart(correction) });
		// The span of an exchange is the millisecond of the new meter's first reading, which then holds like any sample.
		if (type === 'exchange') knownUntil = start + holdMs;
		// The set value ends here, unless another correction or a sample begins at the same time.
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

/** Returns the value at the beginning of a correction: none, the set value, or the first reading of the new meter. */
function valueAtStart({ type, value = Number.NaN, newInitial = Number.NaN }: Correction): number {
	if (type === 'exclude') return Number.NaN;
	return type === 'value' ? value : newInitial;
}

/**
 * Returns the handovers but those from the reading of an exchange to the next one. The exchange says what the new meter began with, so this difference is
 * of one meter.
 */
function handoversWithoutExchange(handovers: Float64Array, { times, values }: Signal, spans: readonly CorrectedSpan[]) {
	const exchanges = new Set(spans.flatMap(({ start, correction }) => (correction.type === 'exchange' ? [start] : [])));
	return handovers.filter((at) => {
		const newest = times[newestNumberBefore(values, countBefore(times, at))];
		return !exchanges.has(at) && (newest === undefined || !exchanges.has(newest));
	});
}

/** By how much the readings at and after an exchange are moved. */
interface Move {
	readonly at: number;
	readonly id: number;
	readonly by: number;
}

/** Returns the move of an exchange; none of another correction. */
const moveOf = ({ id, type, at, oldFinal, newInitial }: Correction): Move[] =>
	type !== 'exchange' || at === undefined || oldFinal === undefined || newInitial === undefined
		? []
		: [{ at, id, by: oldFinal - newInitial }];

/** Moves the readings of each new meter so that they go on from the old one's. `moves` are ascending by time and id. Of two exchanges at one time the higher id counts. */
function moved({ times, values, holdMs }: Signal, moves: readonly Move[]): Signal {
	const effectiveMoves = moves.filter(({ at }, index) => moves[index + 1]?.at !== at);
	let next = 0;
	let totalMove = 0;
	const readings = values.map((value, index) => {
		const time = times[index] ?? 0;
		for (let move = effectiveMoves[next]; move !== undefined && move.at <= time; move = effectiveMoves[next]) {
			totalMove += move.by;
			next += 1;
		}
		return value + totalMove;
	});
	return { times, values: readings, holdMs };
}
