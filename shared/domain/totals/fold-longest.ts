import { hourMs } from '../milliseconds.ts';
import type { OnRule } from './fold-signal.ts';
import { countUpTo, type Signal } from './signal.ts';
import type { BoundedValue } from './signal-values.ts';

/** The runs of a window: the lengths of those at its beginning and its end, and the longest with the time at which it begins; 0 and null without any. */
interface Runs {
	readonly head: number;
	readonly tail: number;
	readonly best: number;
	readonly bestAt: number | null;
}

/** The state of a signal in a window [a, b), for its longest stretch outside of limits. Durations are milliseconds. */
export interface LongestState {
	readonly from: number;
	readonly span: number;
	readonly known: number;
	/** The stretches in which it is known to be outside. */
	readonly outside: Runs;
	/** The stretches in which it may be outside: it is not known to be within. */
	readonly possible: Runs;
}

/** Folds the stretches of a signal outside of limits over consecutive windows. */
export function foldLongest(signal: Signal, rule: OnRule, bounds: readonly number[]): readonly LongestState[] {
	return bounds.slice(1).map((to, index) => {
		const from = bounds[index] ?? to;
		const [known, possible] = [new RunCounter(from), new RunCounter(from)];
		const unknownMs = visitPlaces(signal, { from, to }, rule, (at, place) => {
			known.goOn(at, place === outside);
			possible.goOn(at, place !== within);
		});
		return { from, span: to - from, known: to - from - unknownMs, outside: known.end(to), possible: possible.end(to) };
	});
}

/** Where a signal is, as far as limits are concerned. They are numbers, which a loop over all samples compares at once. */
const within = 0;
const outside = 1;
const unknown = 2;

/**
 * Visits the changes from one place to another in [from, to), and returns for how long the signal is unknown. It is one loop over plain numbers: it
 * runs once for each sample of a year.
 */
function visitPlaces(
	{ times, values, holdMs }: Signal,
	{ from, to }: { readonly from: number; readonly to: number },
	{ above = Number.POSITIVE_INFINITY, below = Number.NEGATIVE_INFINITY }: OnRule,
	visit: (at: number, place: number) => void,
): number {
	let unknownMs = 0;
	let place = -1;
	let position = countUpTo(times, from) - 1;
	let time = times[position] ?? from;
	const last = times.length;
	for (let at = from; at < to; position += 1) {
		const following = position + 1 < times.length ? (times[position + 1] ?? to) : to;
		const next = following < to ? following : to;
		const value = position < 0 ? Number.NaN : (values[position] ?? Number.NaN);
		// Until when the sample is known. A comparison with NaN is false.
		const end = value <= Number.POSITIVE_INFINITY ? time + holdMs : at;
		const found = value > above || value < below ? outside : within;
		if (found !== place && end > at && next > at) {
			place = found;
			visit(at, found);
		}
		if (end < next) {
			const since = end > at ? end : at;
			unknownMs += next - since;
			if (place !== unknown) visit(since, unknown);
			place = unknown;
		}
		time = following;
		at = next;
		// Most samples go on as the one before: known until the next one, and at the same place.
		while (position + 2 < last) {
			const later = times[position + 2] ?? to;
			const known = values[position + 1] ?? Number.NaN;
			const isOn = place === outside ? known > above || known < below : place === within && known <= above && known >= below;
			if (!isOn || later > to || later - time > holdMs) break;
			time = later;
			at = later;
			position += 1;
		}
	}
	return unknownMs;
}

/** Merges the states of consecutive windows: a run at the end of one and a run at the beginning of the next are one. */
export function mergeLongest(earlier: LongestState, later: LongestState): LongestState {
	const merged = (a: Runs, b: Runs): Runs => {
		const joined = { best: a.tail + b.head, bestAt: later.from - a.tail };
		// Of equal ones the earlier counts, and the joined one begins before the rest of the later window.
		const { best, bestAt } = [joined, b].reduce((longest, run) => (run.best > longest.best ? run : longest), a);
		return {
			head: a.head === earlier.span ? a.head + b.head : a.head,
			tail: b.tail === later.span ? a.tail + b.tail : b.tail,
			best,
			bestAt,
		};
	};
	return {
		from: earlier.from,
		span: earlier.span + later.span,
		known: earlier.known + later.known,
		outside: merged(earlier.outside, later.outside),
		possible: merged(earlier.possible, later.possible),
	};
}

/**
 * Returns the hours of the longest stretch. A gap ends a stretch in the value and in `low`, and joins in `high`. `cut`: it touches the beginning
 * or the end of the window, so that it may be longer than it reads.
 */
export function longestValue({
	from,
	span,
	known,
	outside: { best, bestAt },
	possible,
}: LongestState): BoundedValue & { known: number | null } {
	const share = span === 0 ? null : known / span;
	const bounds = { low: best / hourMs, high: possible.best / hourMs, known: share };
	if (known === 0) return { ...bounds, value: null };
	const cut = bestAt === null ? ([false, false] as const) : ([bestAt === from, bestAt + best === from + span] as const);
	return { ...bounds, value: best / hourMs, ...(bestAt === null ? {} : { at: bestAt }), cut };
}

/** Counts the runs of one window, stretch by stretch. */
class RunCounter {
	readonly #from: number;
	#head = 0;
	#best = 0;
	#bestAt: number | null = null;
	/** The beginning of the present run; NaN: there is none. */
	#begin = Number.NaN;

	constructor(from: number) {
		this.#from = from;
	}

	/** Takes a stretch that begins at `start`. `isIn`: it belongs to a run. */
	goOn(start: number, isIn: boolean): void {
		if (Number.isNaN(this.#begin)) {
			if (isIn) this.#begin = start;
		} else if (!isIn) {
			this.#close(start);
			this.#begin = Number.NaN;
		}
	}

	end(to: number): Runs {
		const tail = Number.isNaN(this.#begin) ? 0 : to - this.#begin;
		if (tail > 0) this.#close(to);
		return { head: this.#head, tail, best: this.#best, bestAt: this.#bestAt };
	}

	#close(stop: number): void {
		const length = stop - this.#begin;
		if (this.#begin === this.#from) this.#head = length;
		if (length <= this.#best) return;
		this.#best = length;
		this.#bestAt = this.#begin;
	}
}
