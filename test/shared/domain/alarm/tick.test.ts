import { beforeEach, describe, expect, test } from 'vitest';
import { noOperatorState } from '#domain/alarm-rows/alarm-rows.ts';
import { boardOf } from '#domain/board/board.ts';
import { DomainError } from '#domain/errors.ts';
import { makeTickPlant, plantStart as t0 } from '#test/support/alarms/tick-plant.ts';

const minute = 60_000;
const hour = 60 * minute;
let plant: ReturnType<typeof makeTickPlant>;

beforeEach(async () => {
	plant = makeTickPlant();
	await plant.saveVariable(1);
	await plant.saveAlarm(11, { varId: 1, condition: '>', threshold: 10 });
});

const story = async () => (await plant.events()).map(({ time, kind, cause, alarmId }) => [time - t0, kind, cause, alarmId]);

describe('a tick', () => {
	test('raises and clears an alarm at the time of its samples, and tells of both', async () => {
		plant.feed('topic-1', t0 - hour, t0 + 10 * minute, (time) => (time >= t0 + 90_000 && time < t0 + 150_000 ? 11 : 9));
		const results = await plant.runUntil(t0 + 10 * minute);
		expect(results.map(({ outcome, errors }) => [outcome, errors])).toEqual(results.map(() => ['done', []]));
		expect(await story()).toEqual([
			[91_000, 'raised', 'condition', 11],
			[161_000, 'cleared', 'condition', 11],
		]);
		expect(plant.sent).toHaveLength(1);
		expect(plant.sent[0]?.alarms).toMatchObject([
			{ id: 11, kind: 'raised', cause: 'condition', value: 11, unit: 'm', raises: 1, since: t0 + 91_000 },
		]);
		expect(await plant.alarms.progress(plant.schema)).toMatchObject({
			evaluatedUntil: t0 + 10 * minute - 15_000,
			lease: null,
			failing: 0,
			urgentSince: null,
		});
	});

	test('tells of the end when the last message is 15 minutes ago', async () => {
		plant.feed('topic-1', t0 - hour, t0 + 30 * minute, (time) => (time >= t0 + 90_000 && time < t0 + 150_000 ? 11 : 9));
		await plant.runUntil(t0 + 30 * minute);
		expect(plant.sent.map(({ kind }) => kind)).toEqual(['raised', 'cleared']);
		expect(plant.sent[1]?.alarms).toMatchObject([{ kind: 'cleared', cause: null, raises: 0, since: t0 + 161_000, value: 9 }]);
	});

	test('starts a minute back where the schema was never evaluated', async () => {
		await plant.runTick();
		expect(plant.calls.map(({ now }) => now - t0)).toEqual([-75_000, -15_000]);
	});

	test('is held while another evaluator has the lease', async () => {
		await plant.alarms.acquireLease(plant.schema, 'other', t0);
		expect(await plant.runTick()).toMatchObject({ outcome: 'held' });
		plant.clock.now += 61_000;
		expect(await plant.runTick()).toMatchObject({ outcome: 'done' });
	});

	test('catches up an hour in pieces after a pause, and tells of the gap once', async () => {
		plant.feed('topic-1', t0 - hour, t0 + 4 * hour, () => 9);
		await plant.runTick();
		plant.calls.length = 0;
		plant.clock.now = t0 + 3 * hour;
		const failing = {
			timeSeries: { read: async () => Promise.reject(new DomainError('dependency_slow', { dependency: 'tsdb', cause: '' })) },
		};
		expect(await plant.runTick(failing)).toMatchObject({ outcome: 'behind', errors: [expect.any(DomainError)] });
		expect(await story()).toEqual([]);
		plant.clock.now += minute;
		expect(await plant.runTick()).toMatchObject({ outcome: 'done', errors: [] });
		expect(plant.calls).toHaveLength(12);
		expect(await plant.events()).toMatchObject([
			{ kind: 'gap', alarmId: 0, time: t0 - 15_000, comment: /until 2100-01-05T02:00:45/ },
		]);
		await plant.runUntil(t0 + 3 * hour + 5 * minute);
		expect(await plant.events()).toHaveLength(1);
	});

	test('leaves progress as it is when InfluxDB fails, and goes on from there', async () => {
		plant.feed('topic-1', t0 - hour, t0 + hour, (time) => (time < t0 + 2 * minute ? 9 : 11));
		await plant.runTick();
		const failing = {
			timeSeries: { read: async () => Promise.reject(new DomainError('dependency_failed', { dependency: 'tsdb', cause: '' })) },
		};
		await plant.runUntil(t0 + 5 * minute, failing);
		expect(await plant.alarms.progress(plant.schema)).toMatchObject({ evaluatedUntil: t0 - 15_000, lease: null });
		await plant.runUntil(t0 + 6 * minute);
		expect(await story()).toEqual([[121_000, 'raised', 'condition', 11]]);
	});

	test('names and counts alarms that it cannot evaluate, and evaluates the others', async () => {
		await plant.saveAlarm(12, { varId: 99 });
		plant.feed('topic-1', t0 - hour, t0 + hour, () => 11);
		expect(await plant.runTick()).toMatchObject({ outcome: 'done', failing: [12] });
		expect(await story()).toHaveLength(1);
		expect((await plant.alarms.progress(plant.schema))?.failing).toBe(1);
	});

	test('evaluates no alarm without a database, and only moves on where there is no other', async () => {
		await plant.deleteAlarm(11);
		await plant.saveAlarm(12, { varId: 1 }, null);
		expect(await plant.runTick()).toMatchObject({ outcome: 'done', failing: [] });
		expect(plant.calls).toEqual([]);
		expect(await plant.rows(12)).toBeUndefined();
		expect((await plant.alarms.progress(plant.schema))?.evaluatedUntil).toBe(t0 - 15_000);
	});

	test('clears an alarm that was disabled', async () => {
		plant.feed('topic-1', t0 - hour, t0 + hour, () => 11);
		await plant.runUntil(t0 + 2 * minute);
		await plant.saveAlarm(11, { varId: 1, condition: '>', threshold: 10, enabled: false });
		await plant.runUntil(t0 + 4 * minute);
		expect((await story()).map(([, ...rest]) => rest)).toEqual([
			['raised', 'condition', 11],
			['cleared', 'disabled', 11],
		]);
	});

	test('clears and sweeps the rows of a deleted alarm', async () => {
		plant.feed('topic-1', t0 - hour, t0 + hour, () => 11);
		await plant.runUntil(t0 + 2 * minute);
		await plant.deleteAlarm(11);
		await plant.runUntil(t0 + 3 * minute);
		expect((await story()).at(-1)?.slice(1)).toEqual(['cleared', 'deleted', 11]);
		expect(await plant.rows(11)).toBeUndefined();
	});
});

describe('a shelved alarm', () => {
	const shelve = async (until: number, rowVersion = 1) =>
		plant.alarms.commit(plant.schema, {
			alarmId: 11,
			operator: {
				expected: null,
				put: { ...noOperatorState, rowVersion, shelvedUntil: until, shelvedBy: 'a@b.example', reason: 'works', n: 1 },
			},
		});

	test('is not told, until its shelf ends while it is active', async () => {
		await shelve(t0 + 5 * minute);
		plant.feed('topic-1', t0 - hour, t0 + hour, () => 11);
		await plant.runUntil(t0 + 4 * minute);
		expect((await story()).map(([, kind]) => kind)).toEqual(['raised']);
		expect(plant.sent).toEqual([]);
		await plant.runUntil(t0 + 5 * minute);
		expect((await story()).map(([, kind]) => kind)).toEqual(['raised', 'unshelved']);
		expect(plant.sent).toMatchObject([{ kind: 'raised', alarms: [{ raises: 1, cause: 'condition', value: 11 }] }]);
	});

	test('is not told when it is not active any more', async () => {
		await shelve(t0 + 5 * minute);
		plant.feed('topic-1', t0 - hour, t0 + hour, (time) => (time < t0 + minute ? 11 : 9));
		await plant.runUntil(t0 + 30 * minute);
		expect((await story()).map(([, kind]) => kind)).toEqual(['raised', 'cleared', 'unshelved']);
		expect(plant.sent).toEqual([]);
	});
});

describe('messages', () => {
	test('tell of an alarm that was deleted while they were refused, before its rows are swept', async () => {
		plant.notifierState.isDown = true;
		plant.feed('topic-1', t0 - hour, t0 + hour, () => 11);
		await plant.runUntil(t0 + 2 * minute);
		await plant.deleteAlarm(11);
		await plant.runUntil(t0 + 3 * minute);
		expect([plant.sent, await plant.rows(11)]).toMatchObject([[], { outbox: { raises: 1 } }]);
		plant.notifierState.isDown = false;
		await plant.runUntil(t0 + 4 * minute);
		expect(plant.sent).toMatchObject([{ kind: 'raised', alarms: [{ id: 11, raises: 1 }] }]);
		expect(await plant.rows(11)).toBeUndefined();
	});

	test('wait while they are refused, and merge into one', async () => {
		plant.notifierState.isDown = true;
		plant.feed('topic-1', t0 - hour, t0 + 2 * hour, (time) => (Math.floor(time / minute) % 4 < 2 ? 11 : 9));
		const results = await plant.runUntil(t0 + hour);
		expect(results.at(-1)?.errors).toMatchObject([{ code: 'dependency_failed', payload: { dependency: 'notifier' } }]);
		const progress = await plant.alarms.progress(plant.schema);
		expect(t0 + hour - (progress?.urgentSince ?? 0)).toBeGreaterThan(50 * minute);
		const raised = (await story()).filter(([, kind]) => kind === 'raised').length;
		plant.notifierState.isDown = false;
		await plant.runUntil(t0 + hour + minute);
		expect(plant.sent).toMatchObject([{ alarms: [{ id: 11 }] }]);
		const raises = plant.sent[0]?.alarms[0]?.raises ?? 0;
		expect(raises).toBeGreaterThanOrEqual(raised);
		expect(raises).toBeGreaterThanOrEqual(14);
		expect((await plant.alarms.progress(plant.schema))?.urgentSince).toBeNull();
	});

	test('remind of a critical alarm that nobody acknowledged, every 15 minutes', async () => {
		await plant.saveAlarm(11, { varId: 1, condition: '>', threshold: 10, severity: 'critical' });
		plant.feed('topic-1', t0 - hour, t0 + 2 * hour, () => 11);
		await plant.runUntil(t0 + 46 * minute);
		expect(plant.sent.map(({ kind }) => kind)).toEqual(['raised', 'reminder', 'reminder', 'reminder']);
		const outbox = (await plant.rows(11))?.outbox;
		expect(outbox).toMatchObject({ sentCause: 'condition', sentOccurrence: 1 });
		await plant.alarms.commit(plant.schema, {
			alarmId: 11,
			operator: {
				expected: null,
				put: { ...noOperatorState, rowVersion: 1, ackedOccurrence: 1, ackedBy: 'a@b.example', ackedAt: 1, n: 1 },
			},
		});
		await plant.runUntil(t0 + 90 * minute);
		expect(plant.sent.slice(4).map(({ kind }) => kind)).toEqual(['acknowledged']);
		expect(await plant.rows(11)).toMatchObject({ outbox: { sentAt: outbox?.sentAt, sentAcknowledged: 1 } });
	});

	/** Above the threshold until 2 min, silent until 20 min, below it from then on. */
	const feedGap = () => {
		plant.feed('topic-1', t0 - hour, t0 + 2 * minute, () => 11);
		plant.feed('topic-1', t0 + 20 * minute, t0 + 2 * hour, () => 9);
	};
	const operate = (fields: Partial<typeof noOperatorState>) =>
		plant.alarms.commit(plant.schema, {
			alarmId: 11,
			operator: { expected: null, put: { ...noOperatorState, rowVersion: 1, n: 1, ...fields } },
		});
	const ofGap = (...kinds: readonly string[]) => kinds.map((kind) => kind.split(' '));

	test('tell of no raise after a gap that a value ends which does not meet the condition', async () => {
		await plant.saveAlarm(11, { varId: 1, condition: '>', threshold: 10, severity: 'critical', offDelaySeconds: 120 });
		feedGap();
		await plant.runUntil(t0 + 21 * minute);
		expect((await plant.rows(11))?.state).toMatchObject({ cause: 'no_data', silent: false, uncertainSince: null, value: 9 });
		await plant.runUntil(t0 + 90 * minute);
		expect((await story()).map(([, kind, cause]) => [kind, cause])).toEqual(
			ofGap('raised condition', 'raised no_data', 'cleared no_data'),
		);
		expect(plant.sent.map(({ kind, alarms }) => [kind, alarms[0]?.cause, alarms[0]?.value])).toEqual([
			['raised', 'condition', 11],
			['raised', 'no_data', null],
			['reminder', 'no_data', null],
			['cleared', null, 9],
		]);
	});

	test('tell of an acknowledgement, and then of the end of the alarm alone', async () => {
		feedGap();
		await plant.runUntil(t0 + 10 * minute);
		await operate({ ackedOccurrence: 2 });
		await plant.runUntil(t0 + 90 * minute);
		expect(plant.sent.map(({ kind, alarms }) => [kind, alarms[0]?.cause])).toEqual([
			['raised', 'condition'],
			['raised', 'no_data'],
			['acknowledged', 'no_data'],
			['cleared', null],
		]);
		expect((await plant.rows(11))?.state).toMatchObject({ cause: null, occurrence: 2 });
	});

	test('tell of nothing after a gap in which the alarm was shelved', async () => {
		feedGap();
		await plant.runUntil(t0 + 10 * minute);
		await operate({ shelvedUntil: t0 + hour });
		await plant.runUntil(t0 + 90 * minute);
		expect(plant.sent.map(({ kind, alarms }) => [kind, alarms[0]?.cause])).toEqual([
			['raised', 'condition'],
			['raised', 'no_data'],
		]);
		expect((await story()).map(([, kind]) => kind)).toEqual(['raised', 'raised', 'cleared', 'unshelved']);
	});

	test('have the time zone of the first report with one, and none where the reports cannot be read', async () => {
		plant.feed('topic-1', t0 - hour, t0 + 2 * hour, (time) => (Math.floor(time / (20 * minute)) % 2 === 0 ? 9 : 11));
		const saveReport = (id: number, timeZone: string) => {
			const board = boardOf('report', { id, title: 'Daily', timeZone, dayStart: '00:00', lines: [], send: false });
			const row = { kind: 'report', version: 1, rowVersion: 1, board } as const;
			return plant.store.commit(plant.schema, [{ key: { kind: 'report', id }, expected: null, put: row }]);
		};
		const failing = {
			store: { ...plant.store, list: async () => Promise.reject(new DomainError('store_failed', { cause: '' })) },
		};
		await plant.runUntil(t0 + 30 * minute);
		await saveReport(21, 'UTC');
		await saveReport(22, 'America/Bogota');
		await saveReport(23, 'Europe/Madrid');
		await plant.runUntil(t0 + 70 * minute);
		await plant.runUntil(t0 + 110 * minute, failing);
		const bogota = 'America/Bogota';
		expect(plant.sent.map(({ timeZone }) => timeZone)).toEqual([null, null, bogota, bogota, null, null]);
	});

	test.each([1, 8])('of a night of one alarm that chatters every %i minutes are at most 40', async (minutes) => {
		plant.feed('topic-1', t0 - hour, t0 + 10 * hour, (time) => (Math.floor(time / 30_000) % (2 * minutes) < minutes ? 11 : 9), {
			everyMs: 10_000,
		});
		await plant.runUntil(t0 + 10 * hour);
		expect((await story()).length).toBeGreaterThan(100);
		expect(plant.sent.length).toBeLessThanOrEqual(40);
		expect(plant.sent.length).toBeGreaterThanOrEqual(30);
		const raised = (await story()).filter(([, kind]) => kind === 'raised').length;
		const told = plant.sent.reduce((sum, { alarms }) => sum + (alarms[0]?.raises ?? 0), 0);
		expect(raised - told).toBeLessThanOrEqual(16);
	});
});
