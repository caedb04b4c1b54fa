import { hourMs } from '../milliseconds.ts';
import { isOnAt, type OnRule } from './fold-signal.ts';
import { type Signal, visitStretches } from './signal.ts';
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
		let known = 0;
		const [outside, possible] = [new RunCounter(from), new RunCounter(from)];
		visitStretches(signal, { from, to }, (start, stop, value) => {
			const isKnown = !Number.isNaN(value);
			if (isKnown) known += stop - start;
			const isOutside = isKnown && isOnAt(value, rule);
			outside.goOn(start, isOutside);
			possible.goOn(start, isOutside || !isKnown);
		});
		return { from, span: to - from, known, outside: outside.end(to), possible: possible.end(to) };
	});
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
