import { type ActiveCause, isShelved, noOperatorState, type OperatorState } from '../alarm-rows/alarm-rows.ts';
import { isEnabled } from '../board/alarm.ts';
import type { AlarmRows } from '../ports/alarm-store.ts';
import type { BoardRow } from '../ports/schema-store.ts';
import { type DerivedState, derivedState } from './derived-state.ts';

/** What users see of the state of an alarm, beside its definition and its current value. Times are epoch milliseconds. */
export interface AlarmStatus {
	/** Null: the alarm was not evaluated yet. */
	readonly state: DerivedState | null;
	/** When the alarm was raised or cleared last; null: never, or it is disabled. */
	readonly since: number | null;
	/** Null: the alarm is not active. */
	readonly cause: ActiveCause | null;
	/** Number of times that the alarm was raised. */
	readonly occurrence: number;
	/** The e-mail of the user who acknowledged the newest occurrence, and when; null: nobody did. */
	readonly acknowledgedBy: string | null;
	readonly acknowledgedAt: number | null;
	/** Nobody is told about the alarm until then; null: it is not shelved. */
	readonly shelvedUntil: number | null;
	readonly shelvedBy: string | null;
	readonly reason: string | null;
	/** Since when there is no usable value; null: there is one, or the alarm is disabled. */
	readonly uncertainSince: number | null;
}

/**
 * Returns what users see of the state of an alarm.
 * @param row the alarm as it is saved. One without a database is not evaluated
 * @param rows undefined: there are none, or one of them cannot be parsed
 * @param now epoch milliseconds; a shelf ends by itself
 */
export function alarmStatus(row: BoardRow, rows: AlarmRows | undefined, now: number): AlarmStatus {
	const enabled = row.board.kind === 'alarm' && isEnabled(row.board.content);
	const evaluated = row.database === undefined ? null : (rows?.state ?? null);
	const operated = rows?.operator ?? noOperatorState;
	const occurrence = evaluated?.occurrence ?? 0;
	const isAcknowledged = occurrence > 0 && occurrence <= operated.ackedOccurrence;
	return {
		state: derivedState(enabled, evaluated, operated),
		// Until the next evaluation, the row of a newly disabled alarm still holds its earlier state.
		since: enabled ? (evaluated?.since ?? null) : null,
		cause: enabled ? (evaluated?.cause ?? null) : null,
		occurrence,
		acknowledgedBy: isAcknowledged ? operated.ackedBy : null,
		acknowledgedAt: isAcknowledged ? operated.ackedAt : null,
		...shelfOf(operated, now),
		uncertainSince: enabled ? (evaluated?.uncertainSince ?? null) : null,
	};
}

function shelfOf(operated: OperatorState, now: number): Pick<AlarmStatus, 'shelvedUntil' | 'shelvedBy' | 'reason'> {
	if (!isShelved(operated, now)) return { shelvedUntil: null, shelvedBy: null, reason: null };
	const { shelvedUntil, shelvedBy, reason } = operated;
	return { shelvedUntil, shelvedBy, reason };
}
