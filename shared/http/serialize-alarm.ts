import type { Backtest } from '#domain/alarm/backtest.ts';
import type { EvaluationStatus } from '#domain/alarm/evaluation-status.ts';
import { type AlarmEvent, alarmEventKey } from '#domain/alarm-rows/alarm-event.ts';
import { isoTime } from '#domain/calendar/iso-time.ts';
import type { AlarmState } from '#domain/use-cases/list-alarms.ts';
import { actorsToJson, isoOrNull, rowFaultOf } from './serialize.ts';

/**
 * Returns the JSON form of an alarm with its current state (shared/domain/alarm/EVALUATION.md#what-users-see-and-do). `active` is null when
 * the value does not decide it.
 */
export function alarmToJson({ alarm, version, active, value, quality, tags, isUnread = false, status }: AlarmState) {
	const { since, acknowledgedBy, acknowledgedAt, shelvedUntil, shelvedBy, uncertainSince } = status;
	return {
		...alarm,
		version,
		active,
		value,
		quality,
		...(tags === undefined ? {} : { tags }),
		...rowFaultOf(isUnread),
		...status,
		...actorsToJson({ acknowledgedBy, shelvedBy }),
		since: isoOrNull(since),
		acknowledgedAt: isoOrNull(acknowledgedAt),
		shelvedUntil: isoOrNull(shelvedUntil),
		uncertainSince: isoOrNull(uncertainSince),
	};
}

/** Returns the JSON form of how far a schema is evaluated. `unbound`: number of listed alarms that are not evaluated. */
export function evaluationToJson({ until, status }: EvaluationStatus, unbound: number) {
	return { until: isoOrNull(until), status, unbound };
}

/** Returns the JSON form of an entry of the journal of alarms. */
export function alarmEventToJson({ time, recordedAt, origin, shelvedUntil, user, ...event }: AlarmEvent) {
	const id = alarmEventKey({ time, alarmId: event.alarmId, origin });
	const shelf = shelvedUntil === undefined ? {} : { shelvedUntil: isoTime(shelvedUntil) };
	return { id, time: isoTime(time), recordedAt: isoTime(recordedAt), ...event, ...actorsToJson({ user }), ...shelf };
}

/** Returns the JSON form of a back-test; times are ISO-8601 in UTC, days `2026-11-22` (shared/domain/alarm/README.md#back-tests). */
export function backtestToJson({ events, perDay, tags, ...totals }: Backtest) {
	return {
		...totals,
		...(tags.length === 0 ? {} : { tags }),
		events: events.map(eventToJson),
		perDay: perDay.map((each) => ({ ...each, day: isoTime(each.day).slice(0, 10) })),
	};
}

/** Returns the JSON form of an event of a back-test. `seq` is left out: it only orders stored events. */
function eventToJson({ seq: _, time, ...event }: Backtest['events'][number]) {
	return { time: isoTime(time), ...event };
}
