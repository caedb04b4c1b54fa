import { beforeEach, describe, expect, test } from 'vitest';
import { type AlarmCommit, maxEventsPerCommit } from '#domain/ports/alarm-store.ts';
import type { IdempotencyRecord, RowCommit } from '#domain/ports/schema-store.ts';
import {
	eventTime,
	makeAlarmEvent,
	makeEvaluatorState,
	makeEventPage,
	makeOperatorState,
	makeOutbox,
} from '#test/support/builders/alarm-rows.ts';
import { makeBoardRow, makeVariableRow } from '#test/support/builders/builders.ts';
import type { AlarmBackend } from '../alarm-store.ts';

const alarmId = 7;
const alarmKey = { kind: 'alarm', id: alarmId } as const;
const variableKey = { kind: 'variable', id: 1 } as const;
const definitions: readonly RowCommit[] = [
	{ key: alarmKey, expected: null, put: makeBoardRow('alarm', alarmId) },
	{ key: variableKey, expected: null, put: makeVariableRow(1) },
];
const state = (rowVersion: number) => makeEvaluatorState({ rowVersion, seq: rowVersion });
const event = (number: number) => makeAlarmEvent({ origin: { writer: 'evaluator', number } });
const claim = { key: 'client key', token: 'request 1' };
const record: IdempotencyRecord = { claim, response: '{"answer":1}', keepUntil: eventTime + 1000 };

/** Tests of changing the rows of one alarm. */
export function commitCases(open: () => Promise<AlarmBackend>): void {
	describe('a commit of alarm rows', () => {
		let backend: AlarmBackend;
		beforeEach(async () => {
			backend = await open();
			await backend.store.commit('s', definitions);
			const first = { alarmId, state: { expected: null, put: state(1) }, events: [event(1)] };
			expect(await backend.alarms.commit('s', first)).toBe('committed');
		});

		const rowsOf = async () => (await backend.alarms.rows('s')).rows.get(alarmId);
		const journal = async () => (await backend.alarms.events('s', makeEventPage())).events.map(({ origin }) => origin.number);

		test('changes a row, and deletes it', async () => {
			const { alarms } = backend;
			expect(await alarms.commit('s', { alarmId, state: { expected: 1, put: state(2) } })).toBe('committed');
			expect(await rowsOf()).toEqual({ state: state(2), operator: null, outbox: null });
			expect(await alarms.commit('s', { alarmId, operator: { expected: null, put: makeOperatorState() } })).toBe('committed');
			expect(await alarms.commit('s', { alarmId, state: { expected: 2, put: null } })).toBe('committed');
			expect(await rowsOf()).toEqual({ state: null, operator: makeOperatorState(), outbox: null });
			expect(await alarms.commit('s', { alarmId, operator: { expected: 1, put: null } })).toBe('committed');
			expect(await rowsOf()).toBeUndefined();
		});

		test('changes all rows and adds all events, on condition of what it does not change', async () => {
			const commit: AlarmCommit = {
				alarmId,
				state: { expected: 1, put: state(2) },
				operator: { expected: null },
				outbox: { expected: null, put: makeOutbox() },
				checks: [
					{ key: alarmKey, expected: 1 },
					{ key: variableKey, expected: 1 },
					{ key: { kind: 'variable', id: 9 }, expected: null },
				],
				events: [event(2), event(3)],
			};
			expect(await backend.alarms.commit('s', commit)).toBe('committed');
			expect(await rowsOf()).toEqual({ state: state(2), operator: null, outbox: makeOutbox() });
			expect(await journal()).toEqual([3, 2, 1]);
			expect(await backend.store.revision('s')).toMatchObject({ revision: 1 });
		});

		test.each<[string, Omit<AlarmCommit, 'alarmId'>]>([
			['a row of another version', { state: { expected: 2, put: state(3) } }],
			['a new row that exists', { state: { expected: null, put: state(1) } }],
			['a row that does not exist', { operator: { expected: 1, put: makeOperatorState({ rowVersion: 2 }) } }],
			['a deleted row of another version', { state: { expected: 2, put: null } }],
			['a deleted row that does not exist', { operator: { expected: 1, put: null } }],
			['an unchanged row of another version', { state: { expected: 2 }, operator: { expected: null, put: makeOperatorState() } }],
			['an absent row that exists', { state: { expected: null }, outbox: { expected: null, put: makeOutbox() } }],
			['an alarm that was changed', { state: { expected: 1, put: state(2) }, checks: [{ key: alarmKey, expected: 2 }] }],
			[
				'a variable that was deleted',
				{ state: { expected: 1, put: state(2) }, checks: [{ key: { kind: 'variable', id: 9 }, expected: 1 }] },
			],
			['an alarm that was created', { state: { expected: 1, put: state(2) }, checks: [{ key: alarmKey, expected: null }] }],
			['an event that is stored', { state: { expected: 1, put: state(2) }, events: [event(2), event(1)] }],
			['a row of another version, with an event', { state: { expected: 2, put: state(3) }, events: [event(2)] }],
		])('changes nothing in a conflict: %s', async (_, commit) => {
			await backend.idempotency.claim(claim, 'body', eventTime);
			for (const each of [commit, { ...commit, record }])
				expect(await backend.alarms.commit('s', { alarmId, ...each })).toBe('conflict');
			expect(await rowsOf()).toEqual({ state: state(1), operator: null, outbox: null });
			expect(await journal()).toEqual([1]);
			expect(await backend.idempotency.claim({ ...claim, token: 'request 2' }, 'body', eventTime)).toEqual({ state: 'running' });
		});

		test('stores the idempotency record with the change, and changes nothing without the claim', async () => {
			const { alarms, idempotency } = backend;
			const commit = (rowVersion: number): AlarmCommit => ({
				alarmId,
				state: { expected: rowVersion - 1, put: state(rowVersion) },
				events: [event(rowVersion)],
				record,
			});
			expect(await alarms.commit('s', commit(2))).toBe('claim_lost');
			expect([await rowsOf(), await journal()]).toEqual([{ state: state(1), operator: null, outbox: null }, [1]]);
			await idempotency.claim(claim, 'body', eventTime);
			expect(await alarms.commit('s', commit(2))).toBe('committed');
			expect(await idempotency.claim({ ...claim, token: 'request 2' }, 'body', eventTime)).toEqual({
				state: 'done',
				response: '{"answer":1}',
			});
			expect(await alarms.commit('s', commit(3))).toBe('claim_lost');
			expect([await rowsOf(), await journal()]).toEqual([{ state: state(2), operator: null, outbox: null }, [2, 1]]);
		});

		test('takes every row, checks and a record with maxEventsPerCommit events, and not one more event', async () => {
			const { alarms, idempotency } = backend;
			await idempotency.claim(claim, 'body', eventTime);
			const commit = (count: number): AlarmCommit => ({
				alarmId,
				state: { expected: 1, put: state(2) },
				operator: { expected: null, put: makeOperatorState() },
				outbox: { expected: null, put: makeOutbox() },
				checks: definitions.map(({ key }) => ({ key, expected: 1 })),
				events: Array.from({ length: count }, (_, index) => event(index + 2)),
				record,
			});
			await expect(alarms.commit('s', commit(maxEventsPerCommit + 1))).rejects.toThrow(RangeError);
			expect(await alarms.commit('s', commit(maxEventsPerCommit))).toBe('committed');
			expect(await journal()).toHaveLength(maxEventsPerCommit + 1);
		});

		test.each([
			['alone', {}],
			['with an event', { events: [event(2)] }],
		])('of several that rely on one row, exactly one is committed: %s', async (_, more) => {
			const outcomes = await Promise.all(
				Array.from({ length: 8 }, (_, index) =>
					backend.alarms.commit('s', {
						alarmId,
						state: { expected: 1, put: makeEvaluatorState({ rowVersion: 2, value: index }) },
						...more,
					}),
				),
			);
			expect(outcomes.filter((outcome) => outcome === 'committed')).toHaveLength(1);
			expect((await rowsOf())?.state?.value).toBe(outcomes.indexOf('committed'));
		});

		test('without anything is committed', async () => {
			expect(await backend.alarms.commit('s', { alarmId })).toBe('committed');
		});
	});
}
