import { type AlarmOperation, acknowledgement, shelving } from '#domain/alarm/alarm-operation.ts';
import { type AlarmEvent, alarmOfEvent } from '#domain/alarm-rows/alarm-event.ts';
import type { EvaluatorState } from '#domain/alarm-rows/alarm-rows.ts';
import type { Alarm } from '#domain/board/alarm.ts';
import { type AlarmStore, noRows } from '#domain/ports/alarm-store.ts';
import type { RowCommit } from '#domain/ports/schema-store.ts';
import { plantA } from './idp.ts';
import { plantSeries, samplesOf } from './plant/sensors.ts';
import { initialState } from './plant/state.ts';

/** The alarms of `plant-a-alarms.json` that an operator has handled, by their names. */
const acknowledged = 'Chlorine stock low';
const shelved = 'Raw tank in use';

const shelfMs = 7 * 86_400_000;

/** How long the acknowledged alarm was active before somebody acknowledged it. */
const unseenMs = 60_000;

/** Stores what an operator did before the demo begins: acknowledged one critical alarm, and shelved another alarm for a week. */
export async function seedAlarmStates(alarms: AlarmStore, rows: readonly RowCommit[], now: number): Promise<void> {
	const at = Math.floor(now / 1000) * 1000;
	const operation: AlarmOperation = { user: plantA.email, comment: null, now: at };
	for (const { put: row } of rows) {
		if (row?.kind !== 'alarm' || row.board.kind !== 'alarm') continue;
		const alarm = row.board.content;
		if (alarm.name === acknowledged) {
			const state = activeState(row.version, at);
			const commit = acknowledgement({ row, rows: { ...noRows, state } }, state.occurrence, operation);
			const told = alarmOfEvent(alarm, row.version, unitOf(rows, alarm));
			const events = [raisedEvent(alarm.id, told, state, at), ...(commit.events ?? [])];
			await alarms.commit(plantA.schema, { ...commit, state: { expected: null, put: state }, events });
		}
		if (alarm.name === shelved) {
			const shelf = { ...operation, comment: 'The sensor is being calibrated.' };
			await alarms.commit(plantA.schema, shelving({ row, rows: noRows }, at + shelfMs, shelf));
		}
	}
}

function unitOf(rows: readonly RowCommit[], { varId }: Alarm): string | null {
	const found = rows.find(({ put }) => put?.kind === 'variable' && put.variable.id === varId)?.put;
	return found?.kind === 'variable' ? found.variable.unit : null;
}

/** The state of an alarm whose condition began to hold a little before `at`. */
const activeState = (version: number, at: number): EvaluatorState => ({
	rowVersion: 1,
	basis: [version, 1],
	until: at,
	on: true,
	pendingSince: null,
	uncertainSince: null,
	lastUsableAt: at,
	silent: false,
	cause: 'condition',
	since: at - unseenMs,
	occurrence: 1,
	seq: 1,
	value: stockAt(at - unseenMs),
});

/** The chlorine in stock in %. It depends on the time alone, not on the state of the plant. */
function stockAt(at: number): number | null {
	const sample = samplesOf(initialState, at).find(({ topic }) => topic === plantSeries.chlorineStock.topic);
	return typeof sample?.value === 'number' ? sample.value : null;
}

const raisedEvent = (
	alarmId: number,
	alarm: AlarmEvent['alarm'],
	{ since, occurrence, value }: EvaluatorState,
	recordedAt: number,
): AlarmEvent => ({
	time: since ?? recordedAt,
	recordedAt,
	alarmId,
	origin: { writer: 'evaluator', number: 1 },
	occurrence,
	kind: 'raised',
	cause: 'condition',
	value,
	quality: 'good',
	inputs: [],
	user: null,
	comment: null,
	alarm,
});
