import type { AlarmEvent } from '#domain/alarm/alarm-event.ts';
import type { EvaluatorState } from '#domain/alarm/evaluator-state.ts';
import { noOperatorState, type OperatorState } from '#domain/alarm/operator-state.ts';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';
import type { BoardRow, RowCommit } from '#domain/ports/schema-store.ts';
import { plantA } from './idp.ts';

/** The alarms of `plant-a-alarms.json` that an operator has handled, by their names. */
const acknowledged = 'Chlorine stock low';
const shelved = 'Raw tank in use';

const shelfMs = 7 * 86_400_000;

/** Stores what an operator did before the demo begins: acknowledged one critical alarm, and shelved another alarm for a week. */
export async function seedAlarmStates(alarms: AlarmStore, rows: readonly RowCommit[], now: number): Promise<void> {
	const at = Math.floor(now / 1000) * 1000;
	for (const { put } of rows) {
		if (put === undefined || put === null || put.kind === 'variable' || put.kind === 'panel') continue;
		if (put.board.kind !== 'alarm') continue;
		if (put.board.content.name === acknowledged) await seed(alarms, put, acknowledgement(at), activeState(put, at), at);
		if (put.board.content.name === shelved) await seed(alarms, put, shelf(at), null, at);
	}
}

const acknowledgement = (at: number): OperatorState => ({
	...{ ...noOperatorState, rowVersion: 1, n: 1 },
	...{ ackedOccurrence: 1, ackedBy: plantA.email, ackedAt: at },
});

const shelf = (at: number): OperatorState => ({
	...{ ...noOperatorState, rowVersion: 1, n: 1 },
	...{ shelvedUntil: at + shelfMs, shelvedBy: plantA.email, reason: 'The sensor is being calibrated.' },
});

/** The state of an alarm whose condition began to hold just now. */
const activeState = ({ version }: BoardRow, at: number): EvaluatorState => ({
	...{ rowVersion: 1, basis: [version, 1], until: at, on: true, pendingSince: null, uncertainSince: null, lastUsableAt: at },
	...{ silent: false, cause: 'condition', since: at, occurrence: 1, seq: 1, value: null },
});

async function seed(
	alarms: AlarmStore,
	row: BoardRow,
	operator: OperatorState,
	state: EvaluatorState | null,
	at: number,
): Promise<void> {
	if (row.board.kind !== 'alarm') return;
	const { id, name, severity, message, condition, threshold } = row.board.content;
	const event: Omit<AlarmEvent, 'kind' | 'origin' | 'user' | 'comment'> = {
		...{ time: at, recordedAt: at, alarmId: id, occurrence: state?.occurrence ?? 0 },
		...{ cause: null, value: null, quality: null, inputs: [] },
		alarm: { name, severity, message, condition, threshold, unit: null, version: row.version },
	};
	const handled: AlarmEvent = {
		...{ ...event, kind: state === null ? 'shelved' : 'acknowledged', origin: { writer: 'operator', number: 1 } },
		...{ user: operator.ackedBy ?? operator.shelvedBy, comment: operator.reason },
	};
	const raised: AlarmEvent = {
		...{ ...event, kind: 'raised', cause: 'condition', quality: 'good', origin: { writer: 'evaluator', number: 1 } },
		...{ user: null, comment: null },
	};
	await alarms.commit(plantA.schema, {
		alarmId: id,
		operator: { expected: null, put: operator },
		...(state !== null && { state: { expected: null, put: state } }),
		events: state === null ? [handled] : [raised, handled],
	});
}
