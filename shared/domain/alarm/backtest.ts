import type { ActiveCause } from '../alarm-rows/alarm-rows.ts';
import { boundsOf } from '../calendar/bounds.ts';
import { localTimeAt } from '../calendar/local-time.ts';
import type { TimeZone } from '../calendar/time-zone.ts';
import { DomainError } from '../errors.ts';
import { dayMs } from '../milliseconds.ts';
import { type DifferingTag, differingTags, mergeTags, tagsOfSource } from '../totals/join-sources.ts';
import type { Range } from '../variable/window.ts';
import type { FoldEvent } from './alarm-machine.ts';
import { type AlarmDefinition, fold, neverEvaluated } from './fold.ts';
import { type Observation, observe } from './observe.ts';
import { observedInputsOf, type Piece, type PieceReads, sourcesOf } from './piece.ts';

/** What an alarm would have done on one local day. */
export interface BacktestDay {
	/** The local day, as the epoch milliseconds at which the same date begins in UTC. */
	readonly day: number;
	/** Number of times that it would have been raised. */
	readonly raised: number;
	readonly activeSeconds: number;
}

/** An event of an alarm that is enabled all the time. */
interface BacktestEvent extends FoldEvent {
	readonly cause: ActiveCause;
}

/** What an alarm would have done in the past. */
export interface Backtest {
	/**
	 * Samples count at the end of a step of this length. With 1 s, the back-test gives the same events as live evaluation of complete
	 * data.
	 */
	readonly resolutionSeconds: number;
	/** The first events, at most `maxBacktestEvents`. */
	readonly events: readonly BacktestEvent[];
	/** Number of times that it would have been raised. A change of cause counts. */
	readonly raised: number;
	/** How long it would have been active, and the longest time without a break. */
	readonly activeSeconds: number;
	readonly longestSeconds: number;
	/** How long there was no usable value. */
	readonly uncertainSeconds: number;
	/** The tags in which the sources differ of inputs of which several were known at once; empty where none were. */
	readonly tags: readonly DifferingTag[];
	/** Every day of the range. */
	readonly perDay: readonly BacktestDay[];
}

/** Most events that a back-test lists. */
export const maxBacktestEvents = 500;

/** Most steps that a back-test reads, over all inputs. */
const maxBacktestSteps = 90_000;

const longestStepMs = 60_000;
/** From the finest to the coarsest. */
const resolutionsMs = [1000, 10_000, longestStepMs] as const;

/**
 * Returns the piece of a back-test over a range, with the shortest step that gives at most `maxBacktestSteps` steps over all inputs.
 * Both ends of the range are rounded down to whole steps.
 * @param range at least 1 s long
 * @param inputs the number of inputs of the alarm's variable
 * @throws DomainError `too_large` when even the longest step gives more
 */
export function backtestPiece({ start, stop }: Range, inputs: number): Piece {
	// A formula without variables has no inputs, and is observed at each step.
	const stepsOf = (stepMs: number): number => Math.ceil((stop - start) / stepMs) * Math.max(1, inputs);
	const stepMs = resolutionsMs.find((each) => stepsOf(each) <= maxBacktestSteps);
	if (stepMs !== undefined) return { from: floor(start, stepMs), to: floor(stop, stepMs), stepMs };
	throw new DomainError('too_large', {
		field: 'start',
		counted: 'input_minutes',
		actual: stepsOf(longestStepMs),
		limit: maxBacktestSteps,
		remedy: 'Choose a shorter time.',
	});
}

/** Evaluates an alarm over the past, as if it had been saved and enabled at the start of the piece. `zone`: the time zone of `perDay`. */
export function backtest(definition: AlarmDefinition, reads: PieceReads, piece: Piece, zone: TimeZone): Backtest {
	const enabled = { ...definition, alarm: { ...definition.alarm, enabled: true } };
	const folded = fold(enabled, neverEvaluated, reads, piece, { maxEvents: Number.POSITIVE_INFINITY });
	const events = folded.events.filter(hasActiveCause);
	const active = activeRanges(events, piece.to);
	const observations = [...observe(enabled.alarm, enabled.variable, reads, piece)];
	return {
		resolutionSeconds: piece.stepMs / 1000,
		events: events.slice(0, maxBacktestEvents),
		raised: raisedIn(events),
		activeSeconds: secondsIn(active),
		longestSeconds: Math.max(0, ...active.map((range) => secondsIn([range]))),
		uncertainSeconds: secondsIn(unusableRanges(observations, piece)),
		tags: tagsIn(observations, enabled, reads),
		perDay: perDay(events, active, piece, zone),
	};
}

const hasActiveCause = (event: FoldEvent): event is BacktestEvent => event.cause === 'condition' || event.cause === 'no_data';

/** Rounds down to a multiple of `step`. */
const floor = (value: number, step: number): number => Math.floor(value / step) * step;

/** Returns the times between a raise and the next clearing. A change of cause in between does not end them. */
function activeRanges(events: readonly FoldEvent[], end: number): readonly Range[] {
	const ranges: Range[] = [];
	let start: number | null = null;
	for (const { time, kind } of events) {
		if (kind === 'raised') start ??= time;
		else if (start !== null) {
			ranges.push({ start, stop: time });
			start = null;
		}
	}
	return start === null ? ranges : [...ranges, { start, stop: end }];
}

/** Returns the times without a usable value. */
function unusableRanges(observations: readonly Observation[], piece: Piece): readonly Range[] {
	return observations.flatMap(({ at, value }, index) =>
		value === null ? [{ start: at, stop: observations[index + 1]?.at ?? piece.to }] : [],
	);
}

/** Returns the tags in which the sources differ of the inputs that have no value because of them. */
function tagsIn(observations: readonly Observation[], { variable }: AlarmDefinition, reads: PieceReads): readonly DifferingTag[] {
	const several = new Set(observations.flatMap((observation) => observation.several ?? []));
	const inputs = observedInputsOf(variable).filter(({ name }) => several.has(name));
	const tagsOf = (names: readonly string[]) => differingTags(names.map((name) => ({ tags: tagsOfSource(name) })));
	return mergeTags(inputs.flatMap((input) => tagsOf(sourcesOf(reads(input)))));
}

const raisedIn = (events: readonly FoldEvent[]): number => events.filter(({ kind }) => kind === 'raised').length;

const secondsIn = (ranges: readonly Range[]): number =>
	ranges.reduce((sum, { start, stop }) => sum + Math.max(0, stop - start), 0) / 1000;

/**
 * Returns what the alarm would have done on each local day of the piece. An event at the end of the piece belongs to the last day, even
 * when the next day begins at that time.
 */
function perDay(
	events: readonly FoldEvent[],
	active: readonly Range[],
	{ from, to }: Piece,
	zone: TimeZone,
): readonly BacktestDay[] {
	if (from === to) return [];
	const bounds = boundsOf({ start: from, stop: to }, { ms: dayMs }, { zone, dayStartMs: 0 });
	return bounds.slice(0, -1).map((start, index) => {
		const stop = bounds[index + 1] ?? to;
		const eventsOfDay = events.filter(({ time }) => Math.min(time, to - 1) >= start && Math.min(time, to - 1) < stop);
		// A range of another day becomes one with a negative length, which counts as 0 s.
		const activeOnDay = active.map((range) => ({ start: Math.max(range.start, start), stop: Math.min(range.stop, stop) }));
		return { day: floor(localTimeAt(start, zone), dayMs), raised: raisedIn(eventsOfDay), activeSeconds: secondsIn(activeOnDay) };
	});
}
