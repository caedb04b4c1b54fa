import { describe, expect, test } from 'vitest';
import { alarmStatus } from '#domain/alarm/alarm-status.ts';
import type { Alarm } from '#domain/board/alarm.ts';
import type { AlarmRows } from '#domain/ports/alarm-store.ts';
import type { BoardRow } from '#domain/ports/schema-store.ts';
import { makeEvaluatorState, makeOperatorState } from '#test/support/builders/alarm-rows.ts';
import { makeBoardRow } from '#test/support/builders/builders.ts';

const now = 1_000_000;

const makeAlarm = (fields: Partial<Alarm> = {}, row: Partial<BoardRow> = { database: 'd' }): BoardRow => {
	const { board, ...rest } = makeBoardRow('alarm', 7);
	if (board.kind !== 'alarm') throw new RangeError('Not an alarm.');
	return { ...rest, board: { kind: 'alarm', content: { ...board.content, ...fields } }, ...row };
};

const active = makeEvaluatorState({ cause: 'condition', on: true, since: 900_000, occurrence: 3, uncertainSince: 950_000 });

const rowsOf = (rows: Partial<AlarmRows>): AlarmRows => ({ state: active, operator: null, outbox: null, ...rows });

describe('the status of an alarm', () => {
	test('is unknown before the first evaluation', () => {
		const unknown = { state: null, since: null, cause: null, occurrence: 0, uncertainSince: null };
		expect(alarmStatus(makeAlarm(), undefined, now)).toMatchObject(unknown);
		expect(alarmStatus(makeAlarm(), rowsOf({ state: null }), now)).toMatchObject(unknown);
	});

	test('is unknown for an alarm without a database, whatever is stored', () => {
		expect(alarmStatus(makeAlarm({}, {}), rowsOf({}), now)).toMatchObject({ state: null, cause: null, occurrence: 0 });
	});

	test('tells cause, times and occurrence of an active alarm', () => {
		expect(alarmStatus(makeAlarm(), rowsOf({}), now)).toEqual({
			...{ state: 'active_unacknowledged', since: 900_000, cause: 'condition', occurrence: 3, uncertainSince: 950_000 },
			...{ acknowledgedBy: null, acknowledgedAt: null, shelvedUntil: null, shelvedBy: null, reason: null },
		});
	});

	test.each([
		[2, 'active_unacknowledged', null],
		[3, 'active_acknowledged', makeOperatorState().ackedBy],
	])(
		'tells who acknowledged the newest occurrence, and nobody who acknowledged an earlier one: %i',
		(ackedOccurrence, state, by) => {
			const operator = makeOperatorState({ ackedOccurrence, ackedAt: 5 });
			expect(alarmStatus(makeAlarm(), rowsOf({ operator }), now)).toMatchObject({
				state,
				acknowledgedBy: by,
				acknowledgedAt: by === null ? null : 5,
			});
		},
	);

	test('has no acknowledgement before the first occurrence', () => {
		const operator = makeOperatorState({ ackedOccurrence: 0 });
		const status = alarmStatus(makeAlarm(), rowsOf({ state: makeEvaluatorState(), operator }), now);
		expect(status).toMatchObject({ state: 'normal', acknowledgedBy: null, acknowledgedAt: null });
	});

	test.each([
		[now + 1, { shelvedUntil: now + 1, shelvedBy: 'b', reason: 'r' }],
		[now, { shelvedUntil: null, shelvedBy: null, reason: null }],
	])('a shelf ends by itself: %i', (shelvedUntil, shelf) => {
		const operator = makeOperatorState({ shelvedUntil, shelvedBy: 'b', reason: 'r' });
		expect(alarmStatus(makeAlarm(), rowsOf({ operator }), now)).toMatchObject(shelf);
	});

	test('a disabled alarm is not active, also before the evaluator has cleared it', () => {
		expect(alarmStatus(makeAlarm({ enabled: false }), rowsOf({}), now)).toMatchObject({
			...{ state: 'disabled', cause: null, since: null, uncertainSince: null, occurrence: 3 },
		});
	});
});
