import type { StoredActor } from '../access/actor.ts';
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
	/** Who acknowledged the newest occurrence, and when; null: nobody did. */
	readonly acknowledgedBy: StoredActor | null;
	readonly acknowledgedAt: number | null;
	/** Nobody is told about the alarm until then; null: it is not shelved. */
	readonly shelvedUntil: number | null;
	readonly shelvedBy: StoredActor | null;
	readonly reason: string | null;
	/** Since when there is no usable value; null: there is one, or the alarm is disabled. */
	readonly uncertainSince: number | null;
}

/**
 * Returns what users see of the state of an alarm.
 * @param row the alarm as it is saved. Without a database it is not evaluated, and a state that is stored all the same is not shown
 * @param rows undefined: there are none, or one of them cannot be parsed
 * @param now epoch milliseconds; a shelf ends by itself
 */
export function alarmStatus(row: BoardRow, rows: AlarmRows | undefined, now: number): AlarmStatus {
	const enabled = row.board.kind === 'alarm' && isEnabled(row.board.content);
	const state = row.database === undefined ? null : (rows?.state ?? null);
	const operator = rows?.operator ?? noOperatorState;
	const occurrence = state?.occurrence ?? 0;
	const isAcknowledged = occurrence > 0 && occurrence <= operator.ackedOccurrence;
	return {
		state: derivedState({ enabled, state, operator }),
		// Until the next evaluation, the row of a newly disabled alarm still holds its earlier state.
		since: enabled ? (state?.since ?? null) : null,
		cause: enabled ? (state?.cause ?? null) : null,
		occurrence,
		acknowledgedBy: isAcknowledged ? operator.ackedBy : null,
		acknowledgedAt: isAcknowledged ? operator.ackedAt : null,
		...shelfOf(operator, now),
		uncertainSince: enabled ? (state?.uncertainSince ?? null) : null,
	};
}

function shelfOf(operator: OperatorState, now: number): Pick<AlarmStatus, 'shelvedUntil' | 'shelvedBy' | 'reason'> {
	if (!isShelved(operator, now)) return { shelvedUntil: null, shelvedBy: null, reason: null };
	const { shelvedUntil, shelvedBy, reason } = operator;
	return { shelvedUntil, shelvedBy, reason };
}
