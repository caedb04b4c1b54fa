import type { Actor } from '../access/actor.ts';
import { type AlarmEvent, alarmOfEvent } from '../alarm-rows/alarm-event.ts';
import { noOperatorState, type OperatorState } from '../alarm-rows/alarm-rows.ts';
import type { AlarmCommit, AlarmRows } from '../ports/alarm-store.ts';
import type { BoardRow } from '../ports/schema-store.ts';

/** Who operates an alarm, when and why. */
export interface AlarmOperation {
	/** Null: the service itself. */
	readonly user: Actor | null;
	readonly comment: string | null;
	/** When, epoch milliseconds. */
	readonly now: number;
}

/** A saved alarm with its rows. */
export interface OperatedAlarm {
	readonly row: BoardRow;
	readonly rows: AlarmRows;
}

/** Returns the commit that acknowledges the occurrences of an alarm up to `occurrence`. */
export function acknowledgement(alarm: OperatedAlarm, occurrence: number, operation: AlarmOperation): AlarmCommit {
	const { user, now } = operation;
	return operationCommit(alarm, operation, {
		event: { kind: 'acknowledged', occurrence },
		operator: { ackedOccurrence: occurrence, ackedBy: user, ackedAt: now },
	});
}

/** Returns the commit that shelves an alarm until a time (epoch milliseconds). The comment is the reason. A second shelf replaces the first. */
export function shelving(alarm: OperatedAlarm, until: number, operation: AlarmOperation): AlarmCommit {
	return operationCommit(alarm, operation, {
		event: { kind: 'shelved', occurrence: alarm.rows.state?.occurrence ?? 0, shelvedUntil: until },
		operator: { shelvedUntil: until, shelvedBy: operation.user, reason: operation.comment },
	});
}

/** Returns the event of an operation. `number`: that of the event in the operator's row. */
export function operatorEvent(
	{ alarmId, occurrence, kind, alarm }: Pick<AlarmEvent, 'alarmId' | 'occurrence' | 'kind' | 'alarm'>,
	number: number,
	{ user, comment, now }: AlarmOperation,
): AlarmEvent {
	return {
		time: now,
		recordedAt: now,
		alarmId,
		origin: { writer: 'operator', number },
		occurrence,
		kind,
		cause: null,
		value: null,
		quality: null,
		inputs: [],
		user,
		comment,
		alarm,
	};
}

/** Returns the description of an alarm for an event, without the unit of its variable; null for a board of another kind. */
export function alarmAsTold({ board, version }: BoardRow): AlarmEvent['alarm'] {
	return board.kind === 'alarm' ? alarmOfEvent(board.content, { version, unit: null }) : null;
}

/** What an operation adds to the journal, and what it changes in the operator's row. */
interface OperationChange {
	readonly event: Pick<AlarmEvent, 'occurrence' | 'shelvedUntil'> & { readonly kind: 'acknowledged' | 'shelved' };
	readonly operator: Partial<OperatorState>;
}

/** Returns the commit of the operator's row with the event of an operation. */
function operationCommit({ row, rows }: OperatedAlarm, operation: AlarmOperation, change: OperationChange): AlarmCommit {
	const alarmId = row.board.content.id;
	const stored = rows.operator ?? noOperatorState;
	const n = stored.n + 1;
	const { kind, occurrence } = change.event;
	return {
		alarmId,
		operator: {
			expected: rows.operator?.rowVersion ?? null,
			put: { ...stored, ...change.operator, rowVersion: stored.rowVersion + 1, n },
		},
		events: [{ ...operatorEvent({ alarmId, occurrence, kind, alarm: alarmAsTold(row) }, n, operation), ...change.event }],
	};
}
