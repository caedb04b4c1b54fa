import * as v from 'valibot';
import { type AlarmEvent, alarmEventSchema } from '#domain/alarm-rows/alarm-event.ts';
import {
	type EvaluationProgress,
	evaluatorStateSchema,
	operatorStateSchema,
	outboxSchema,
} from '#domain/alarm-rows/alarm-rows.ts';
import { dayMs } from '#domain/milliseconds.ts';
import { type AlarmRows, type AlarmStore, noRows, type StoredAlarmRows, type StoredAlarms } from '#domain/ports/alarm-store.ts';
import { idOfRow } from '#domain/ports/schema-store.ts';
import { rowOfKind, type StoredText } from './stored-row.ts';

/** The part of `AlarmStore` that concerns the evaluation of schemas. */
export type Evaluations = Pick<
	AlarmStore,
	'evaluatedSchemas' | 'progress' | 'startEvaluation' | 'stopEvaluation' | 'acquireLease' | 'updateProgress'
>;

/** Number of days that events of alarms stay in the journal, unless a setting says otherwise. */
export const defaultAlarmEventDays = 400;

/** The kinds of rows of one alarm. */
export const alarmRowKinds = ['state', 'operator', 'outbox'] as const satisfies readonly (keyof AlarmRows)[];

/** The progress of a row that cannot be parsed: the schema counts as never evaluated, so that its lag is noticed. */
export const damagedProgress: EvaluationProgress = newProgress(0);

/** Returns the schema of a row that is stored as JSON. */
const bodyOf = <Schema extends v.GenericSchema>(schema: Schema) => v.pipe(v.string(), v.parseJson(), schema);

const alarmRowSchema = v.variant('kind', [
	v.object({ kind: v.literal('state'), body: bodyOf(evaluatorStateSchema) }),
	v.object({ kind: v.literal('operator'), body: bodyOf(operatorStateSchema) }),
	v.object({ kind: v.literal('outbox'), body: bodyOf(outboxSchema) }),
]);

const eventBodySchema = bodyOf(alarmEventSchema);

/** A stored row of an alarm that was not parsed yet. */
export interface UnparsedAlarmRow {
	readonly alarmId: number;
	readonly kind: (typeof alarmRowKinds)[number];
	readonly body: string;
}

/** Returns the progress of a schema whose evaluation starts at `now` (epoch milliseconds). */
export function newProgress(now: number): EvaluationProgress {
	return {
		createdAt: now,
		evaluatedUntil: null,
		lease: null,
		leaseUntil: 0,
		lastSentAt: null,
		failing: 0,
		urgentSince: null,
	};
}

/** Parses stored rows of alarms. An alarm with a row that cannot be parsed is unreadable, whatever its other rows are. */
export function alarmRowsOf(stored: readonly UnparsedAlarmRow[]): StoredAlarmRows {
	const rows = new Map<number, AlarmRows>();
	const unreadable = new Set<number>();
	for (const { alarmId, kind, body } of stored) {
		const parsed = v.safeParse(alarmRowSchema, { kind, body });
		const known = rows.get(alarmId) ?? noRows;
		if (parsed.success) rows.set(alarmId, { ...known, [parsed.output.kind]: parsed.output.body });
		else unreadable.add(alarmId);
	}
	for (const alarmId of unreadable) rows.delete(alarmId);
	return { rows, unreadable };
}

/** Parses stored alarms and sorts them by id. */
export function storedAlarmsOf(stored: readonly StoredText[]): StoredAlarms {
	const rows = stored.map(({ body, ...at }) => rowOfKind('alarm', at, body)).sort((a, b) => idOfRow(a) - idOfRow(b));
	const unreadable = rows.filter(({ unread }) => unread !== undefined).map((row) => `alarm#${idOfRow(row)}`);
	return { alarms: rows.filter(({ unread }) => unread === undefined), unreadable };
}

/** Parses a stored event. Throws an Error that is no DomainError: an invalid event is never the client's fault. */
export function parseStoredEvent(body: string): AlarmEvent {
	return v.parse(eventBodySchema, body);
}

/** Returns when an event leaves the journal, epoch milliseconds. */
export function eventExpiry({ recordedAt }: AlarmEvent, days: number): number {
	return recordedAt + days * dayMs;
}
