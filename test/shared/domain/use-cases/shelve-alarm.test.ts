import { beforeEach, describe, expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import type { SeriesReader } from '#domain/reading/shared-reads.ts';
import { type ShelveDeps, shelveAlarm, unshelveAlarm } from '#domain/use-cases/shelve-alarm.ts';
import { makeOperatedSchema, type OperatedSchema } from '#test/support/alarms/operated-schema.ts';
import { makeEvaluatorState, makeOperatorState } from '#test/support/builders/alarm-rows.ts';
import { person } from '#test/support/builders/origin.ts';
import { makeSeries, makeTimeSeries } from '#test/support/fakes/fake-time-series.ts';

const now = 5_000_000;
const by = { database: 'd', user: person('ada@plant.example'), now };
const shelf = { minutes: 2, reason: 'Calibration' };

let schema: OperatedSchema;
let deps: ShelveDeps;
beforeEach(async () => {
	schema = await makeOperatedSchema();
	const { timeSeries } = makeTimeSeries(new Map([['plant/flow', makeSeries([[now - 1000, 0.75]])]]));
	deps = { ...schema, definitions: createDefinitionCache(schema.store), timeSeries };
});

const rows = async () => (await schema.alarms.rowsOf('s', [7])).rows.get(7);
const events = async () =>
	(await schema.alarms.events('s', { start: 0, end: now + 1_000_000, alarmId: 7, limit: 100, after: null })).events;
const raise = (occurrence = 1) =>
	schema.alarms.commit('s', {
		alarmId: 7,
		state: { expected: null, put: makeEvaluatorState({ occurrence, cause: 'condition', on: true }) },
	});

describe('shelving an alarm', () => {
	test('stores until when, by whom and why, and answers with the alarm as it is listed', async () => {
		const until = now + 120_000;
		expect(await shelveAlarm(deps, 's', 7, shelf, by)).toMatchObject({
			...{ alarm: { id: 7 }, version: 1, value: 0.75, quality: 'good', active: true },
			status: { shelvedUntil: until, shelvedBy: by.user, reason: shelf.reason },
		});
		expect((await rows())?.operator).toMatchObject({ rowVersion: 1, n: 1, shelvedUntil: until, ackedOccurrence: 0 });
		expect(await events()).toMatchObject([
			{
				kind: 'shelved',
				user: by.user,
				comment: shelf.reason,
				time: now,
				occurrence: 0,
				shelvedUntil: now + 60_000 * shelf.minutes,
			},
		]);
	});

	test('a second shelf replaces the first, and keeps the acknowledgement', async () => {
		await schema.alarms.commit('s', { alarmId: 7, operator: { expected: null, put: makeOperatorState({ ackedOccurrence: 4 }) } });
		await shelveAlarm(deps, 's', 7, shelf, by);
		await shelveAlarm(deps, 's', 7, { minutes: 1, reason: 'Shorter' }, by);
		expect((await rows())?.operator).toMatchObject({ ackedOccurrence: 4, shelvedUntil: now + 60_000, reason: 'Shorter', n: 3 });
	});

	test.each([
		new DomainError('dependency_failed', { dependency: 'tsdb', cause: 'c' }),
		new DomainError('dependency_slow', { dependency: 'tsdb', cause: 'c' }),
	])('shelves while the time series cannot be read, and leaves the value out: $code', async (error) => {
		const timeSeries: SeriesReader = { ...deps.timeSeries, read: () => Promise.reject(error) };
		expect(await shelveAlarm({ ...deps, timeSeries }, 's', 7, shelf, by)).toMatchObject({
			...{ value: null, active: null, quality: 'skipped', status: { reason: shelf.reason } },
		});
		expect((await rows())?.operator).toMatchObject({ reason: shelf.reason });
	});

	test('does not shelve where the store fails', async () => {
		const definitions = { get: () => Promise.reject(new DomainError('store_failed', { cause: 'c' })) };
		await expect(shelveAlarm({ ...deps, definitions }, 's', 7, shelf, by)).rejects.toMatchObject({ code: 'store_failed' });
		expect(await rows()).toBeUndefined();
	});

	test('refuses an alarm that does not exist', async () => {
		await expect(shelveAlarm(deps, 's', 8, shelf, by)).rejects.toMatchObject({
			code: 'not_found',
			payload: { kind: 'alarm', id: 8 },
		});
		await expect(unshelveAlarm(deps, 's', 1, by)).rejects.toMatchObject({ code: 'not_found' });
	});

	test('stores the response in the commit that shelves, and nothing where the claim is lost', async () => {
		const record = { claim: { key: 'k', token: 't' }, response: '{}', keepUntil: now + 1 };
		await expect(shelveAlarm(deps, 's', 7, shelf, by, () => record)).rejects.toMatchObject({ code: 'key_in_use' });
		expect([await rows(), await events()]).toEqual([undefined, []]);
	});
});

describe('ending a shelf', () => {
	test('tells of an alarm that is active and not acknowledged', async () => {
		await raise(2);
		await shelveAlarm(deps, 's', 7, shelf, by);
		expect(await unshelveAlarm(deps, 's', 7, { ...by, now: now + 1 })).toMatchObject({
			status: { state: 'active_unacknowledged', shelvedUntil: null, shelvedBy: null, reason: null },
		});
		expect(await rows()).toMatchObject({ operator: { shelvedUntil: null, n: 2 }, outbox: { raises: 2, urgent: true } });
		expect((await events()).map(({ kind, user }) => [kind, user])).toEqual([
			['unshelved', by.user],
			['shelved', by.user],
		]);
	});

	test('tells nobody of an alarm that is not active', async () => {
		await shelveAlarm(deps, 's', 7, shelf, by);
		await unshelveAlarm(deps, 's', 7, by);
		expect(await rows()).toMatchObject({ operator: { shelvedUntil: null }, outbox: null });
	});

	test.each([
		['was never shelved', null],
		['has a shelf that ended by itself', makeOperatorState({ shelvedUntil: now, shelvedBy: 'b', reason: 'r' })],
	])('changes nothing where the alarm %s', async (_, operator) => {
		if (operator !== null) await schema.alarms.commit('s', { alarmId: 7, operator: { expected: null, put: operator } });
		expect(await unshelveAlarm(deps, 's', 7, by)).toMatchObject({ alarm: { id: 7 }, status: { shelvedUntil: null } });
		expect([(await rows())?.operator ?? null, await events()]).toEqual([operator, []]);
	});

	test('decides again where the alarm is evaluated meanwhile', async () => {
		await raise(1);
		await shelveAlarm(deps, 's', 7, shelf, by);
		let interrupted = false;
		const alarms: AlarmStore = {
			...schema.alarms,
			commit: async (...parameters) => {
				if (!interrupted) {
					interrupted = true;
					const state = makeEvaluatorState({ rowVersion: 2, occurrence: 1, cause: null });
					await schema.alarms.commit('s', { alarmId: 7, state: { expected: 1, put: state } });
				}
				return schema.alarms.commit(...parameters);
			},
		};
		expect(await unshelveAlarm({ ...deps, alarms }, 's', 7, by)).toMatchObject({ status: { state: 'returned_unacknowledged' } });
		expect([await rows(), schema.pauses]).toMatchObject([{ outbox: null }, [1]]);
	});
});
