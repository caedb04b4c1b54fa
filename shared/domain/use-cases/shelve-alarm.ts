import * as v from 'valibot';
import type { Actor } from '../access/actor.ts';
import { alarmAsTold, type OperatedAlarm, shelving } from '../alarm/alarm-operation.ts';
import { shelfEndCommit } from '../alarm/end-shelves.ts';
import { type OperateDeps, operateAlarm } from '../alarm/operate-alarm.ts';
import { isShelved } from '../alarm-rows/alarm-rows.ts';
import { DomainError } from '../errors.ts';
import { minuteMs } from '../milliseconds.ts';
import type { AlarmCommit } from '../ports/alarm-store.ts';
import type { ReadContext, ReadingDeps } from '../reading/read-now.ts';
import type { IdempotencyRecordFactory } from '../transaction/run-transaction.ts';
import { finiteNumber, integerFrom, text } from '../validation/field.ts';
import { maxCommentLength, maxShelfMinutes } from '../validation/input-limits.ts';
import { withKeywords } from '../validation/keywords.ts';
import { type AlarmState, type AlarmValue, alarmState, alarmValues } from './list-alarms.ts';

/** The body of POST /shelveAlarm/{id}. */
export const shelfSchema = v.object({
	minutes: v.pipe(finiteNumber, integerFrom(1, maxShelfMinutes)),
	reason: withKeywords(text(maxCommentLength), { form: 'lines' }),
});

/** How long an alarm is shelved, and why. */
export type Shelf = v.InferOutput<typeof shelfSchema>;

/** The dependencies of shelving alarms. */
export interface ShelveDeps extends OperateDeps, ReadingDeps {}

/** Who shelves an alarm, where its value is read, and when. */
export interface ShelvingUser extends Pick<ReadContext, 'database' | 'now'> {
	readonly user: Actor;
}

/**
 * Shelves an alarm for some minutes: it is still evaluated and listed, and nobody is told about it. A second shelf replaces the first.
 * @returns the alarm with its value and its state
 * @throws DomainError `not_found`, and the errors of `operateAlarm`
 */
export function shelveAlarm(
	deps: ShelveDeps,
	schema: string,
	id: number,
	{ minutes, reason }: Shelf,
	by: ShelvingUser,
	createRecord?: IdempotencyRecordFactory<AlarmState>,
): Promise<AlarmState> {
	const until = by.now + minutes * minuteMs;
	const operation = { user: by.user, comment: reason, now: by.now };
	return changeShelf(deps, schema, id, by, (alarm) => shelving(alarm, until, operation), createRecord);
}

/**
 * Ends the shelf of an alarm before its time. If the alarm is not shelved, nothing changes. An alarm that is active and not acknowledged
 * is then reported, as after a shelf that ends by itself.
 * @returns the alarm with its value and its state
 * @throws DomainError `not_found`, and the errors of `operateAlarm`
 */
export function unshelveAlarm(
	deps: ShelveDeps,
	schema: string,
	id: number,
	by: ShelvingUser,
	createRecord?: IdempotencyRecordFactory<AlarmState>,
): Promise<AlarmState> {
	const end = ({ row, rows }: OperatedAlarm): AlarmCommit | null => {
		const isShelvedNow = rows.operator !== null && isShelved(rows.operator, by.now);
		return isShelvedNow ? shelfEndCommit(id, rows, { user: by.user, comment: null, now: by.now }, alarmAsTold(row)) : null;
	};
	return changeShelf(deps, schema, id, by, end, createRecord);
}

function changeShelf(
	deps: ShelveDeps,
	schema: string,
	id: number,
	context: ShelvingUser,
	change: (alarm: OperatedAlarm) => AlarmCommit | null,
	createRecord: IdempotencyRecordFactory<AlarmState>,
): Promise<AlarmState> {
	return operateAlarm(
		deps,
		schema,
		id,
		async (alarm) => {
			if (alarm === null) throw new DomainError('not_found', { kind: 'alarm', id, remedy: 'list the alarms again' });
			const commit = change(alarm);
			const rows = { ...alarm.rows, operator: commit?.operator?.put ?? alarm.rows.operator };
			const value = await currentValue(deps, schema, context, alarm);
			return { commit, answer: alarmState(alarm.row, rows, value, context.now) };
		},
		{ createRecord },
	);
}

/** Reads the value of an alarm. It is left out while the time-series database fails: that may be the reason for the shelf. */
async function currentValue(
	deps: ReadingDeps,
	schema: string,
	context: ReadContext,
	{ row }: OperatedAlarm,
): Promise<AlarmValue> {
	try {
		const [value] = await alarmValues(deps, schema, context, [row]);
		if (value !== undefined) return value;
	} catch (error) {
		const isUnread = error instanceof DomainError && (error.code === 'dependency_failed' || error.code === 'dependency_slow');
		if (!isUnread) throw error;
	}
	const { board, version } = row;
	if (board.kind !== 'alarm') throw new RangeError('Only alarms are shelved.');
	return { alarm: board.content, version, active: null, value: null, quality: 'skipped' };
}
