import { setImmediate } from 'node:timers/promises';
import type { ActiveCause } from '#domain/alarm-rows/alarm-rows.ts';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';
import { makeAlarmEvent, makeEvaluatorState } from '../builders/alarm-rows.ts';

/**
 * Raises an alarm now, as the evaluator does: its state and the event in one commit. Again where an evaluator of the target comes between.
 * @returns the occurrence
 */
export const raiseAlarm = async (
	alarms: AlarmStore,
	schema: string,
	alarmId: number,
	cause: ActiveCause = 'condition',
): Promise<number> => {
	for (let attempt = 0; attempt < 10; attempt += 1) {
		const stored = (await alarms.rowsOf(schema, [alarmId])).rows.get(alarmId)?.state ?? null;
		const now = await ownMillisecond();
		const first = makeEvaluatorState({ rowVersion: 0, until: now, lastUsableAt: now });
		const { rowVersion, occurrence, seq, ...state } = stored ?? first;
		const settled = { pendingSince: null, uncertainSince: null };
		const raised = { ...settled, on: cause === 'condition', silent: cause === 'no_data', cause, since: now };
		const put = { ...state, ...raised, rowVersion: rowVersion + 1, occurrence: occurrence + 1, seq: seq + 1 };
		const event = makeAlarmEvent({
			time: now,
			recordedAt: now,
			alarmId,
			cause,
			occurrence: occurrence + 1,
			origin: { writer: 'evaluator', number: seq + 1 },
		});
		const change = { alarmId, state: { expected: stored?.rowVersion ?? null, put }, events: [event] };
		if ((await alarms.commit(schema, change)) === 'committed') return occurrence + 1;
	}
	throw new Error(`Alarm ${alarmId} could not be raised.`);
};

/** Returns a time that no event has of a request before or after: the journal does not order events of one millisecond by when they were written. */
const ownMillisecond = async (): Promise<number> => {
	const start = Date.now();
	while (Date.now() <= start) await setImmediate();
	const own = Date.now();
	while (Date.now() <= own) await setImmediate();
	return own;
};
