import type { EvaluationStatus } from '#domain/alarm/evaluation-status.ts';
import { type AlarmEvent, alarmEventKey } from '#domain/alarm-rows/alarm-event.ts';
import type { AlarmState } from '#domain/use-cases/list-alarms.ts';
import { isoOrNull } from './serialize.ts';

/**
 * Returns the JSON form of an alarm with its current state (shared/domain/alarm/EVALUATION.md#what-users-see-and-do). `active` is null when
 * the value does not decide it.
 */
export function alarmToJson({ alarm, version, active, value, quality, status }: AlarmState): Record<string, unknown> {
	const { since, acknowledgedAt, shelvedUntil, uncertainSince } = status;
	return {
		...alarm,
		version,
		active,
		value,
		quality,
		...status,
		since: isoOrNull(since),
		acknowledgedAt: isoOrNull(acknowledgedAt),
		shelvedUntil: isoOrNull(shelvedUntil),
		uncertainSince: isoOrNull(uncertainSince),
	};
}

/** Returns the JSON form of how far a schema is evaluated. `unbound`: number of listed alarms that are not evaluated. */
export function evaluationToJson({ until, status }: EvaluationStatus, unbound: number): Record<string, unknown> {
	return { until: isoOrNull(until), status, unbound };
}

/** Returns the JSON form of an entry of the journal of alarms. */
export function alarmEventToJson({ time, recordedAt, origin, ...event }: AlarmEvent): Record<string, unknown> {
	const id = alarmEventKey({ time, alarmId: event.alarmId, origin });
	return { id, time: isoOrNull(time), recordedAt: isoOrNull(recordedAt), ...event };
}
