import type { AlarmEvent } from '../alarm-rows/alarm-event.ts';
import type { Range } from '../variable/window.ts';
import type { LineValue, LineValues } from './line-values.ts';
import type { RaisedLine } from './totals-request.ts';

/** What the journal of alarms tells of a range. */
export interface RaisedEvents {
	/** The entries of the range and of some time before it, in any order. */
	readonly events: readonly AlarmEvent[];
	/** From when to when alarms were not evaluated. They do not overlap. */
	readonly unknown: readonly Range[];
}

/**
 * Counts the alarms that were raised in each window [a, b). An alarm that is raised again before it was cleared changed its cause, and
 * counts once. Where the journal does not tell what was before, `low` leaves the alarm out. `high` is null where alarms were not
 * evaluated all the time.
 */
export function raisedValues(
	{ events, unknown }: RaisedEvents,
	severity: RaisedLine['severity'],
	bounds: readonly number[],
): LineValues {
	const raised = raisedOf(events).filter((each) => severity === undefined || each.severity === severity);
	const numberIn = (from: number, to: number): LineValue => {
		const within = raised.filter(({ time }) => time >= from && time < to);
		const unknownMs = unknown.reduce((sum, { start, stop }) => sum + Math.max(0, Math.min(stop, to) - Math.max(start, from)), 0);
		const known = to > from ? 1 - unknownMs / (to - from) : null;
		const low = within.filter(({ isCertain }) => isCertain).length;
		return {
			value: known === 0 ? null : within.length,
			low,
			high: known === 1 ? within.length : null,
			known,
			counterFaults: [],
		};
	};
	const windows = bounds.slice(1).map((to, index) => numberIn(bounds[index] ?? to, to));
	return { windows, total: numberIn(bounds[0] ?? 0, bounds.at(-1) ?? 0) };
}

/** An alarm that was raised. `isCertain`: it was not active before. */
interface Raised {
	readonly time: number;
	readonly severity: string | undefined;
	readonly isCertain: boolean;
}

function raisedOf(events: readonly AlarmEvent[]): readonly Raised[] {
	const relevant = events.filter(({ kind }) => kind === 'raised' || kind === 'cleared');
	const ordered = relevant.toSorted((a, b) => a.time - b.time || a.origin.number - b.origin.number);
	const isActive = new Map<number, boolean>();
	return ordered.flatMap(({ alarmId, kind, time, occurrence, alarm }): readonly Raised[] => {
		const before = isActive.get(alarmId);
		isActive.set(alarmId, kind === 'raised');
		if (kind !== 'raised' || before === true) return [];
		return [{ time, severity: alarm?.severity, isCertain: before === false || occurrence === 1 }];
	});
}
