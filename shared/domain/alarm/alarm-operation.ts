import { type AlarmEvent, alarmOfEvent } from '../alarm-rows/alarm-event.ts';
import { noOperatorState, type OperatorState } from '../alarm-rows/alarm-rows.ts';
import type { AlarmCommit, AlarmRows } from '../ports/alarm-store.ts';
import type { BoardRow } from '../ports/schema-store.ts';

/** Who operates an alarm, when and why. */
export interface AlarmOperation {
	/** The e-mail of the user; null: the token has none, or the service itself ends a shelf. */
	readonly user: string | null;
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
	const change = { ackedOccurrence: occurrence, ackedBy: user, ackedAt: now };
	return operationCommit(alarm, { kind: 'acknowledged' }, occurrence, operation, change);
}

/** Returns the commit that shelves an alarm until a time (epoch milliseconds). The comment is the reason. A second shelf replaces the first. */
export function shelving(alarm: OperatedAlarm, until: number, operation: AlarmOperation): AlarmCommit {
	const change = { shelvedUntil: until, shelvedBy: operation.user, reason: operation.comment };
	return operationCommit(alarm, { kind: 'shelved', shelvedUntil: until }, alarm.rows.state?.occurrence ?? 0, operation, change);
}

/** Returns the event of an operation. `n`: its number in the operator's row. */
export function operatorEvent(
	{ alarmId, occurrence, kind, alarm }: Pick<AlarmEvent, 'alarmId' | 'occurrence' | 'kind' | 'alarm'>,
	n: number,
	{ user, comment, now }: AlarmOperation,
): AlarmEvent {
	return {
		time: now,
		recordedAt: now,
		alarmId,
		origin: { writer: 'operator', number: n },
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
	return board.kind === 'alarm' ? alarmOfEvent(board.content, version, null) : null;
}

function operationCommit(
	{ row, rows }: OperatedAlarm,
	eventFields: { readonly kind: 'acknowledged' } | { readonly kind: 'shelved'; readonly shelvedUntil: number },
	occurrence: number,
	operation: AlarmOperation,
	change: Partial<OperatorState>,
): AlarmCommit {
	const alarmId = row.board.content.id;
	const stored = rows.operator ?? noOperatorState;
	const n = stored.n + 1;
	return {
		alarmId,
		operator: {
			expected: rows.operator?.rowVersion ?? null,
			put: { ...stored, ...change, rowVersion: stored.rowVersion + 1, n },
		},
		events: [
			{
				...operatorEvent({ alarmId, occurrence, kind: eventFields.kind, alarm: alarmAsTold(row) }, n, operation),
				...eventFields,
			},
		],
	};
}
