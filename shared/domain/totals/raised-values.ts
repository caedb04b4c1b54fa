import type { AlarmEvent } from '../alarm-rows/alarm-event.ts';
import type { Range } from '../variable/window.ts';

/** The entries of the journal of alarms for a range. */
export interface RaisedEvents {
	/** The entries of the range and of some time before it, in any order. */
	readonly events: readonly AlarmEvent[];
	/** The times in which alarms were not evaluated. They do not overlap. */
	readonly unknown: readonly Range[];
}

/** The alarms that were raised in a window. States of consecutive windows merge. Durations are milliseconds. */
export interface RaisedState {
	readonly span: number;
	/** For how long alarms were not evaluated. */
	readonly unknown: number;
	readonly count: number;
	/** Number of these alarms that were certainly not active before: the journal shows it. */
	readonly certain: number;
}

/**
 * Counts the alarms that were raised in each window [a, b). An alarm that is raised again before it was cleared changed its cause, and
 * counts once.
 * @param severity counts the alarms of this severity only; undefined: all
 */
export function foldRaised(
	{ events, unknown }: RaisedEvents,
	severity: string | undefined,
	bounds: readonly number[],
): readonly RaisedState[] {
	const raised = raisedOf(events).filter((each) => severity === undefined || each.severity === severity);
	return bounds.slice(1).map((to, index) => {
		const from = bounds[index] ?? to;
		const within = raised.filter(({ time }) => time >= from && time < to);
		return {
			span: to - from,
			unknown: unknown.reduce((sum, range) => sum + overlapMs(range, { start: from, stop: to }), 0),
			count: within.length,
			certain: within.filter(({ isCertain }) => isCertain).length,
		};
	});
}

/** Merges the states of consecutive windows. */
export function mergeRaised(earlier: RaisedState, later: RaisedState): RaisedState {
	return {
		span: earlier.span + later.span,
		unknown: earlier.unknown + later.unknown,
		count: earlier.count + later.count,
		certain: earlier.certain + later.certain,
	};
}

/**
 * Returns the number of a window. `low` leaves out alarms whose earlier state the journal does not show. `high` is null where alarms were
 * not evaluated all the time.
 */
export function raisedValue({ span, unknown, count, certain }: RaisedState) {
	const known = span > 0 ? 1 - unknown / span : null;
	return { value: known === 0 ? null : count, low: certain, high: known === 1 ? count : null, known };
}

/** An alarm that was raised. `isCertain`: it was not active before. */
interface Raised {
	readonly time: number;
	readonly severity: string | undefined;
	readonly isCertain: boolean;
}

/** Returns the alarms that were raised while they were not active, in the order of time. */
function raisedOf(events: readonly AlarmEvent[]): readonly Raised[] {
	const relevant = events.filter(({ kind }) => kind === 'raised' || kind === 'cleared');
	const ordered = relevant.toSorted((a, b) => a.time - b.time || a.origin.number - b.origin.number);
	/** Whether each alarm was active after its last event; none: no event of it was seen. */
	const isActive = new Map<number, boolean>();
	return ordered.flatMap(({ alarmId, kind, time, occurrence, alarm }): readonly Raised[] => {
		const wasActive = isActive.get(alarmId);
		isActive.set(alarmId, kind === 'raised');
		if (kind !== 'raised' || wasActive === true) return [];
		// Before its first occurrence an alarm was never active.
		return [{ time, severity: alarm?.severity, isCertain: wasActive === false || occurrence === 1 }];
	});
}

function overlapMs(a: Range, b: Range): number {
	return Math.max(0, Math.min(a.stop, b.stop) - Math.max(a.start, b.start));
}
