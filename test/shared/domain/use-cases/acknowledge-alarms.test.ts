import { beforeEach, describe, expect, test } from 'vitest';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';
import { acknowledgeAlarms } from '#domain/use-cases/acknowledge-alarms.ts';
import { makeOperatedSchema, type OperatedSchema } from '#test/support/alarms/operated-schema.ts';
import { makeEvaluatorState, makeOperatorState } from '#test/support/builders/alarm-rows.ts';
import { person } from '#test/support/builders/origin.ts';

const now = 5_000_000;
const by = { user: person('ada@plant.example'), comment: 'Seen.' };

let schema: OperatedSchema;
beforeEach(async () => {
	schema = await makeOperatedSchema();
});

const put = (occurrence: number, cause: 'condition' | null, acked: number | null) =>
	schema.alarms.commit('s', {
		alarmId: 7,
		state: { expected: null, put: makeEvaluatorState({ occurrence, cause, on: cause !== null }) },
		...(acked === null ? {} : { operator: { expected: null, put: makeOperatorState({ ackedOccurrence: acked }) } }),
	});
const acknowledge = (occurrence: number, alarms: AlarmStore = schema.alarms) =>
	acknowledgeAlarms({ ...schema, alarms, now: () => now }, 's', [{ id: 7, occurrence }], by);
const events = async () =>
	(await schema.alarms.events('s', { start: 0, end: now + 1, alarmId: 7, limit: 100, after: null })).events;
const operatorRow = async () => (await schema.alarms.rowsOf('s', [7])).rows.get(7)?.operator ?? null;

describe('acknowledging an occurrence', () => {
	test.each([
		// [seen, newest, cause, acknowledged before] -> [result, state]
		[3, 3, 'condition', null, 'acknowledged', 'active_acknowledged'],
		[3, 3, 'condition', 2, 'acknowledged', 'active_acknowledged'],
		[3, 3, null, 2, 'acknowledged', 'normal'],
		[3, 3, 'condition', 3, 'already', 'active_acknowledged'],
		[2, 3, 'condition', 3, 'already', 'active_acknowledged'],
		[2, 3, null, 3, 'already', 'normal'],
		[2, 3, 'condition', 2, 'newer', 'active_unacknowledged'],
		[2, 3, null, null, 'newer', 'returned_unacknowledged'],
		[4, 3, 'condition', null, 'not_found', 'active_unacknowledged'],
		[4, 3, 'condition', 3, 'not_found', 'active_acknowledged'],
	] as const)('seen %i of %i (%s, acknowledged %s): %s, %s', async (seen, occurrence, cause, acked, result, state) => {
		await put(occurrence, cause, acked);
		const before = await operatorRow();
		expect(await acknowledge(seen)).toEqual([{ id: 7, result, state, occurrence }]);
		if (result === 'acknowledged')
			expect(await operatorRow()).toMatchObject({ ackedOccurrence: seen, ackedBy: by.user, ackedAt: now });
		else expect([await operatorRow(), await events()]).toEqual([before, []]);
	});

	test('an alarm that was never evaluated has no occurrence', async () => {
		expect(await acknowledge(1)).toEqual([{ id: 7, result: 'not_found', state: null, occurrence: 0 }]);
	});

	test('writes one event, which names user, comment and alarm', async () => {
		await put(3, 'condition', null);
		await acknowledge(3);
		expect(await events()).toEqual([
			{
				...{ time: now, recordedAt: now, alarmId: 7, origin: { writer: 'operator', number: 1 }, occurrence: 3 },
				...{ kind: 'acknowledged', cause: null, value: null, quality: null, inputs: [], user: by.user, comment: by.comment },
				alarm: { name: 'A', severity: 'info', message: 'M', condition: '>=', threshold: 0.5, unit: null, version: 1 },
			},
		]);
	});

	test('keeps the shelf of the alarm', async () => {
		await schema.alarms.commit('s', {
			alarmId: 7,
			state: { expected: null, put: makeEvaluatorState({ occurrence: 3, cause: 'condition' }) },
			operator: { expected: null, put: makeOperatorState({ shelvedUntil: now + 1, shelvedBy: 'b', reason: 'r' }) },
		});
		await acknowledge(3);
		expect(await operatorRow()).toMatchObject({ rowVersion: 2, n: 2, shelvedUntil: now + 1, shelvedBy: 'b', reason: 'r' });
	});

	test('decides again where another user came first, and then says already', async () => {
		await put(3, 'condition', null);
		let interrupted = false;
		const alarms: AlarmStore = {
			...schema.alarms,
			commit: async (...parameters) => {
				if (!interrupted) {
					interrupted = true;
					await acknowledge(3);
				}
				return schema.alarms.commit(...parameters);
			},
		};
		expect(await acknowledge(3, alarms)).toMatchObject([{ result: 'already' }]);
		expect([await events(), schema.pauses]).toEqual([[expect.objectContaining({ kind: 'acknowledged' })], [1]]);
	});

	test('an evaluation meanwhile is no conflict, and what it raised stays unacknowledged', async () => {
		await put(3, 'condition', null);
		const alarms: AlarmStore = {
			...schema.alarms,
			commit: async (...parameters) => {
				const state = makeEvaluatorState({ rowVersion: 2, occurrence: 4, cause: 'no_data' });
				await schema.alarms.commit('s', { alarmId: 7, state: { expected: 1, put: state } });
				return schema.alarms.commit(...parameters);
			},
		};
		expect(await acknowledge(3, alarms)).toMatchObject([{ result: 'acknowledged' }]);
		expect([await operatorRow(), schema.pauses]).toMatchObject([{ ackedOccurrence: 3 }, []]);
		expect(await acknowledge(3)).toMatchObject([{ result: 'newer', occurrence: 4 }]);
	});

	test('an alarm that is deleted meanwhile is not found, and keeps no row', async () => {
		await put(3, 'condition', null);
		const alarms: AlarmStore = {
			...schema.alarms,
			commit: async (...parameters) => {
				await schema.store.commit('s', [{ key: { kind: 'alarm', id: 7 }, expected: 1, put: null }]);
				return schema.alarms.commit(...parameters);
			},
		};
		expect(await acknowledge(3, alarms)).toEqual([{ id: 7, result: 'not_found', state: null, occurrence: null }]);
		expect(await operatorRow()).toBeNull();
	});

	test('gives up after conflicts that do not end', async () => {
		await put(3, 'condition', null);
		const alarms: AlarmStore = { ...schema.alarms, commit: async () => 'conflict' };
		await expect(acknowledge(3, alarms)).rejects.toMatchObject({ code: 'write_contention' });
		expect(schema.pauses).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
	});

	test('an alarm with a row that cannot be parsed is not found, and the others are acknowledged', async () => {
		await put(3, 'condition', null);
		schema.database.exec("INSERT INTO alarm_row VALUES ('s', 8, 'state', 1, '{')");
		await schema.store.commit('s', [
			{
				key: { kind: 'alarm', id: 8 },
				expected: null,
				put: (await schema.store.get('s', [{ kind: 'alarm', id: 7 }]))[0] ?? null,
			},
		]);
		const seen = [8, 7].map((id) => ({ id, occurrence: 3 }));
		expect(await acknowledgeAlarms({ ...schema, now: () => now }, 's', seen, by)).toMatchObject([
			{ id: 8, result: 'not_found' },
			{ id: 7, result: 'acknowledged' },
		]);
	});
});
