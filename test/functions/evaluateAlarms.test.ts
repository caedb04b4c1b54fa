import { beforeEach, expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import { createHandler } from '#functions/evaluateAlarms/handler.ts';
import { readConfig, telemetrySchema } from '#shared/config.ts';
import { makeTickPlant, plantStart } from '#test/support/alarms/tick-plant.ts';
import { emfOf } from '#test/support/emf.ts';
import { createTelemetry } from '#wiring/telemetry.ts';

let plant: ReturnType<typeof makeTickPlant>;
let lines: string[];

beforeEach(async () => {
	lines = [];
	plant = makeTickPlant();
	await plant.saveVariable(1);
	await plant.saveAlarm(11, { varId: 1, condition: '>', threshold: 10 });
	plant.feed('topic-1', plantStart - 120_000, plantStart + 60_000, () => 11);
});

const run = (event: unknown, overrides: Partial<typeof plant.deps> = {}) => {
	const settings = readConfig(telemetrySchema, { ENDPOINT: 'evaluateAlarms', ENVIRONMENT: 'dev' });
	const telemetry = createTelemetry({ sink: (line) => lines.push(line), settings });
	return createHandler({ ...plant.deps, ...telemetry, ...overrides })(event);
};

test('with schemas it evaluates them', async () => {
	const done = { evaluated: 1, behind: 0, held: 0, failing: 0, sent: 1, notStarted: [] };
	expect(await run({ schemas: ['plant_a'] })).toEqual({ outcome: 'ok', done });
	expect(plant.sent).toMatchObject([{ schema: 'plant_a', alarms: [{ id: 11 }] }]);
	expect(emfOf(lines.at(-1) ?? '')).toMatchObject({ outcome: 'ok', evaluated: 1 });
});

test('names a schema that could not be evaluated, with the cause', async () => {
	const timeSeries = {
		read: async () => Promise.reject(new DomainError('dependency_slow', { dependency: 'tsdb', cause: 'slow' })),
	};
	expect(await run({ schemas: ['plant_a', 'unknown'] }, { timeSeries })).toMatchObject({ done: { behind: 1, held: 1 } });
	expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'ERROR', schema: 'plant_a', error: expect.stringContaining('slow') });
});

test('names the schema and the alarms that cannot be evaluated', async () => {
	const damaged = await plant.alarms.rows('plant_a');
	const alarms = { ...plant.alarms, rows: async () => ({ ...damaged, unreadable: new Set([11]) }) };
	expect(await run({ schemas: ['plant_a'] }, { alarms })).toMatchObject({ done: { evaluated: 1, failing: 1 } });
	expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'ERROR', schema: 'plant_a', alarms: [11] });
});

test('with a test it sends that message only', async () => {
	expect(await run({ test: { schema: 'plant_a' } })).toEqual({ outcome: 'ok', done: { tested: 'plant_a' } });
	expect(plant.sent).toMatchObject([{ severity: 'critical', alarms: [{ name: 'Test message' }] }]);
	plant.notifierState.isDown = true;
	expect(await run({ test: { schema: 'plant_a' } })).toEqual({ outcome: 'failed', done: {} });
});

test.each([[{}], [{ schemas: 'plant_a' }], [{ schemas: [''] }], [{ test: {} }], ['text']])(
	'refuses another event: %j',
	async (event) => {
		expect(await run(event)).toEqual({ outcome: 'failed', done: {} });
		expect(plant.sent).toEqual([]);
	},
);
