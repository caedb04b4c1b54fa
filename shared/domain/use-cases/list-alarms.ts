import { type AlarmStatus, alarmStatus } from '../alarm/alarm-status.ts';
import { type EvaluationStatus, evaluationStatus } from '../alarm/evaluation-status.ts';
import type { Alarm } from '../board/alarm.ts';
import { isActive } from '../board/condition.ts';
import type { AlarmRows, AlarmStore } from '../ports/alarm-store.ts';
import type { BoardRow } from '../ports/schema-store.ts';
import { type NewestState, readNewest } from '../reading/newest.ts';
import type { ReadContext, ReadingDeps } from '../reading/read-now.ts';
import { readTold } from '../reading/told-sources.ts';

/** An alarm with its version, its newest value, and whether its condition holds. `active` is null when the value is missing or of bad quality. */
export interface AlarmValue extends NewestState {
	readonly alarm: Alarm;
	readonly version: number;
	readonly active: boolean | null;
}

/** An alarm with its newest value, and the state that the evaluator and operators gave it. */
export interface AlarmState extends AlarmValue {
	readonly status: AlarmStatus;
	/** False: the alarm was saved before alarms were evaluated, and is bound to no database. */
	readonly isBound: boolean;
}

/** Alarms of a schema, and how far the schema is evaluated. */
export interface ListedAlarms {
	readonly states: readonly AlarmState[];
	readonly evaluation: EvaluationStatus;
}

/** The dependencies of `listAlarms`. */
interface ListAlarmsDeps extends ReadingDeps {
	readonly alarms: Pick<AlarmStore, 'progress' | 'rows' | 'rowsOf'>;
	/** How long the evaluation waits for late samples, in milliseconds. */
	readonly settleMs: number;
}

/** Alarms that are listed. */
interface AlarmListing {
	readonly rows: readonly BoardRow[];
	/** The ids that were asked for: only their states are read. Left out: those of all alarms. */
	readonly ids?: readonly number[];
}

/**
 * Returns alarms with their current values and their states, in their order.
 * @throws DomainError the errors of `alarmValues`
 */
export async function listAlarms(
	deps: ListAlarmsDeps,
	schema: string,
	context: ReadContext,
	{ rows, ids }: AlarmListing,
): Promise<ListedAlarms> {
	const [values, stored] = await Promise.all([alarmValues(deps, schema, context, rows), readStates(deps.alarms, schema, ids)]);
	const rowOf = new Map(rows.map((row) => [row.board.content.id, row]));
	const states = values.flatMap((value) => {
		const row = rowOf.get(value.alarm.id);
		return row === undefined ? [] : [alarmState(row, stored.rows.get(value.alarm.id), value, context.now)];
	});
	return { states, evaluation: evaluationStatus(stored.progress, context.now, deps.settleMs) };
}

/**
 * Returns whether the conditions of alarms hold now, in the order of the alarms. All values are read in one batch. The condition is
 * evaluated on the newest value, or on one bit of it, when its quality is good or stale (shared/domain/board/README.md#references).
 */
export async function alarmValues(
	deps: ReadingDeps,
	schema: string,
	context: ReadContext,
	rows: readonly BoardRow[],
): Promise<readonly AlarmValue[]> {
	const alarms = rows.flatMap(({ board, version, unread }) => {
		if (board.kind !== 'alarm') return [];
		const { varId, bit } = board.content;
		return [{ varId, bit, alarm: board.content, version, unread }];
	});
	const states = await readNewest(deps, schema, context, alarms, readTold);
	return states.map(([{ alarm, version, unread }, read]) => {
		const state: NewestState = unread === undefined ? read : { value: null, quality: 'bad', isUnread: true };
		const { value, quality } = state;
		const isTrusted = quality === 'good' || quality === 'stale';
		const active = isTrusted && value !== null ? isActive(alarm, value) : null;
		return { alarm, version, active, ...state };
	});
}

/** Returns an alarm with its value and its state. `now`: epoch milliseconds. */
export function alarmState(row: BoardRow, rows: AlarmRows | undefined, value: AlarmValue, now: number): AlarmState {
	return { ...value, status: alarmStatus(row, rows, now), isBound: row.database !== undefined || row.unread !== undefined };
}

/** Reads progress and states. The progress is read first, so that the states are not older than the progress says. */
async function readStates(
	alarms: Pick<AlarmStore, 'progress' | 'rows' | 'rowsOf'>,
	schema: string,
	ids: readonly number[] | undefined,
) {
	const progress = await alarms.progress(schema);
	const { rows } = ids === undefined ? await alarms.rows(schema) : await alarms.rowsOf(schema, ids);
	return { progress, rows };
}
