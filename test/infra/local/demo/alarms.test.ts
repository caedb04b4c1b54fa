import { expect, test } from 'vitest';
import { backtest } from '#domain/alarm/backtest.ts';
import { observedInputsOf, readPiece } from '#domain/alarm/piece.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteMachines } from '#infra/local/adapters/sqlite/sqlite-machines.ts';
import { createSqliteOwners } from '#infra/local/adapters/sqlite/sqlite-owners.ts';
import { plantA } from '#infra/local/demo/idp.ts';
import { step } from '#infra/local/demo/plant/model.ts';
import { samplesOf } from '#infra/local/demo/plant/sensors.ts';
import { initialState } from '#infra/local/demo/plant/state.ts';
import { seedPlant } from '#infra/local/demo/seed.ts';
import { makeTickPlant, plantStart, settleMs, sqliteStores } from '#test/support/alarms/tick-plant.ts';
import { zoneNamed } from '#test/support/builders/calendars.ts';
import { person } from '#test/support/builders/origin.ts';

const stepMs = 5000;
const minuteMs = 60_000;

/** Runs the demo from its first start for some minutes: the plant, its alarms, and a tick each minute. */
const runDemo = async (minutes: number) => {
	const database = openDatabase(':memory:');
	const stores = sqliteStores(database);
	const plant = makeTickPlant(stores, plantA.schema);
	let state = initialState;
	for (let at = plantStart - 20 * minuteMs; at < plantStart + minutes * minuteMs; at += stepMs) {
		state = step(state, at, stepMs);
		for (const { topic, value, timeMs } of samplesOf(state, at + stepMs))
			plant.feed(topic, timeMs, timeMs + 1, () => Number(value));
	}
	await seedPlant({ ...stores, machines: createSqliteMachines(database), owners: createSqliteOwners(database) }, plantStart);
	await plant.runTick();
	await plant.runUntil(plantStart + minutes * minuteMs);
	const { alarms } = await stores.alarms.alarms(plantA.schema);
	const byName = new Map(alarms.flatMap((row) => (row.board.kind === 'alarm' ? [[row.board.content.name, row] as const] : [])));
	return { plant, stores, byName };
};

test('within ten minutes of the start, the demo has an alarm in each state', async () => {
	const { plant, byName } = await runDemo(10);
	const rowsOf = async (name: string) => plant.rows(byName.get(name)?.board.content.id ?? 0);
	const kindsOf = async (name: string) => {
		const id = byName.get(name)?.board.content.id;
		return (await plant.events()).flatMap(({ alarmId, kind, cause }) => (alarmId === id ? [`${kind} ${cause}`] : []));
	};
	expect((await kindsOf('Pump vibration high')).filter((each) => each === 'raised condition').length).toBeGreaterThanOrEqual(8);
	expect(await kindsOf('Remote gauge low')).toContain('raised no_data');
	expect(await rowsOf('Chlorine stock low')).toMatchObject({
		state: { cause: 'condition', occurrence: 1 },
		operator: { ackedOccurrence: 1 },
	});
	expect(await kindsOf('Chlorine stock low')).toEqual(expect.arrayContaining(['raised condition', 'acknowledged null']));
	const stock = byName.get('Chlorine stock low')?.board.content.id;
	const [raised, handled] = (await plant.events()).filter(({ alarmId }) => alarmId === stock);
	expect(handled?.kind).toBe('acknowledged');
	expect(raised).toMatchObject({ kind: 'raised', value: expect.any(Number), quality: 'good', alarm: { unit: '%' } });
	expect(raised?.value).toBeLessThan(15);
	const shelved = await rowsOf('Raw tank in use');
	expect(shelved).toMatchObject({ state: { cause: 'condition' }, operator: { shelvedBy: person(plantA.email) }, outbox: null });
	expect(shelved?.operator?.shelvedUntil).toBeGreaterThan(plantStart + 6 * 86_400_000);
	expect(plant.sent.length).toBeGreaterThan(0);
	const told = new Set(plant.sent.flatMap(({ alarms }) => alarms.map(({ name }) => name)));
	expect(told).toEqual(new Set(['Pump vibration high', 'Remote gauge low']));
});

test('a back-test at 1 s over what the plant wrote says what was evaluated live', async () => {
	const minutes = 60;
	const { plant, stores, byName } = await runDemo(minutes);
	const piece = { from: plantStart - settleMs - minuteMs, to: plantStart + minutes * minuteMs - settleMs, stepMs: 1000 };
	const journal = await plant.events();
	const definitions = await createDefinitionCache(stores.store).get(plantA.schema, 'all');
	let compared = 0;
	for (const [name, row] of byName) {
		// Its journal begins with what the demo was seeded with.
		if (row.board.kind !== 'alarm' || name === 'Chlorine stock low') continue;
		const { content } = row.board;
		const found = definitions.get(content.varId);
		if (found === undefined) throw new Error(`${name} has no variable.`);
		const definition = { alarm: content, alarmVersion: row.version, variable: found.variable, variableVersion: found.version };
		const reads = await readPiece(plant.deps.timeSeries, 'plant_a', observedInputsOf(found.variable), piece);
		const live = journal
			.filter(({ alarmId, origin }) => alarmId === content.id && origin.writer === 'evaluator')
			.map(({ time, kind, cause, occurrence, value, quality, inputs, origin }) => ({
				...{ time, kind, cause, occurrence, value, quality, inputs, seq: origin.number },
			}));
		const tested = backtest(definition, reads, piece, zoneNamed('UTC')).events.map((event) => ({ ...event }));
		expect(live, name).toEqual(tested);
		compared += live.length;
	}
	expect(compared).toBeGreaterThan(100);
});
