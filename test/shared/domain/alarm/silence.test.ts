import type { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import { dispatch } from '#domain/alarm/dispatch.ts';
import { DomainError } from '#domain/errors.ts';
import type { GaugeMetric } from '#domain/ports/metrics.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { makeTickPlant, sqliteStores, plantStart as t0 } from '#test/support/alarms/tick-plant.ts';

const minute = 60_000;
const hour = 60 * minute;
let database: DatabaseSync;
let plant: ReturnType<typeof makeTickPlant>;

beforeEach(async () => {
	database = openDatabase(':memory:');
	plant = makeTickPlant(sqliteStores(database));
	for (const id of [1, 2, 3]) {
		await plant.saveVariable(id);
		await plant.saveAlarm(10 + id, { varId: id, condition: '>', threshold: 10 });
		plant.feed(`topic-${id}`, t0 - hour, t0 + hour, () => 11, { everyMs: 5000 });
	}
});

/** What the dispatcher measures now. Its workers do nothing. */
const measure = async (alarms: Pick<typeof plant.alarms, 'evaluatedSchemas'> = plant.alarms, settleMs = plant.deps.settleMs) => {
	const gauges: Partial<Record<GaugeMetric, number>> = {};
	const gauge = (name: GaugeMetric, value: number): void => {
		gauges[name] = value;
	};
	const workers = { start: async () => undefined };
	const dispatched = dispatch({ ...plant.deps, alarms, workers, metrics: { gauge }, settleMs });
	return { late: (await dispatched.catch(() => null))?.late ?? null, gauges };
};

const healthy = { SchemasEvaluated: 1, SchemasLate: 0, SchemasFailing: 0, AlarmOutboxSeconds: 0 };

test('what is well is measured so', async () => {
	await plant.runUntil(t0 + 5 * minute);
	expect(await measure()).toEqual({ late: [], gauges: { ...healthy, AlarmLagSeconds: 0 } });
});

test('a settle time of ten minutes is not measured as lag', async () => {
	const settleMs = 10 * minute;
	await plant.runUntil(t0 + 20 * minute, { settleMs });
	expect(await measure(plant.alarms, settleMs)).toEqual({ late: [], gauges: { ...healthy, AlarmLagSeconds: 0 } });
});

test('a dispatcher that cannot list the schemas measures nothing, which rings one alarm', async () => {
	const fails = async () => Promise.reject(new DomainError('store_failed', { cause: 'down' }));
	expect(await measure({ evaluatedSchemas: fails })).toEqual({ late: null, gauges: {} });
});

test('a schema that fails, or is never evaluated, is late after three minutes, and is named', async () => {
	plant.clock.now += 181_000;
	expect(await measure()).toEqual({ late: ['plant_a'], gauges: { ...healthy, SchemasLate: 1, AlarmLagSeconds: 181 } });
	await plant.runTick();
	const down = { read: async () => Promise.reject(new DomainError('dependency_slow', { dependency: 'tsdb', cause: 'down' })) };
	await plant.runUntil(plant.clock.now + 4 * minute, { timeSeries: down });
	expect(await measure()).toEqual({ late: ['plant_a'], gauges: { ...healthy, SchemasLate: 1, AlarmLagSeconds: 240 } });
});

test.each([
	['an alarm', `UPDATE row SET body = '{' WHERE kind = 'alarm' AND id = 12`],
	['its state', `UPDATE alarm_row SET body = '{' WHERE alarm_id = 12`],
	['its variable', `UPDATE row SET body = '{' WHERE kind = 'variable' AND id = 2`],
])('%s that cannot be parsed counts as failing, and the others are evaluated', async (_, damage) => {
	await plant.runTick();
	expect(Number(database.prepare(damage).run().changes)).toBeGreaterThan(0);
	await plant.saveAlarm(14, { varId: 3, condition: '>', threshold: 10 });
	plant.clock.now += minute;
	// A new process has no definitions in its cache.
	const fresh = makeTickPlant(sqliteStores(database));
	const { timeSeries } = plant.deps;
	fresh.clock.now = plant.clock.now;
	expect(await fresh.runTick({ timeSeries })).toMatchObject({ outcome: 'done', failing: [12], errors: [] });
	expect((await measure()).gauges).toMatchObject({ SchemasFailing: 1, AlarmLagSeconds: 0 });
	expect((await plant.rows(14))?.state?.cause).toBe('condition');
});

test('a source that stopped is an alarm of its own', async () => {
	await plant.runUntil(t0 + 5 * minute);
	plant.clock.now = t0 + hour;
	await plant.runUntil(t0 + hour + 5 * minute);
	expect((await plant.rows(11))?.state).toMatchObject({ cause: 'no_data', silent: true, uncertainSince: expect.any(Number) });
});

test('messages that are refused for 15 minutes are measured, until they are sent', async () => {
	plant.notifierState.isDown = true;
	await plant.runUntil(t0 + 20 * minute);
	expect((await measure()).gauges).toEqual({ ...healthy, AlarmLagSeconds: 0, AlarmOutboxSeconds: 19 * 60 });
	plant.notifierState.isDown = false;
	await plant.runUntil(t0 + 21 * minute);
	expect((await measure()).gauges.AlarmOutboxSeconds).toBe(0);
});

test('a schema whose row was lost is not evaluated, until an alarm is saved again', async () => {
	await plant.runTick();
	await plant.alarms.stopEvaluation(plant.schema);
	plant.clock.now += minute;
	expect(await plant.runTick()).toMatchObject({ outcome: 'held' });
	await plant.saveAlarm(11, { varId: 1, condition: '>', threshold: 9 });
	expect(await plant.runTick()).toMatchObject({ outcome: 'done' });
});
