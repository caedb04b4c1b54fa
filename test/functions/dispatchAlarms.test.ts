import { beforeEach, expect, test } from 'vitest';
import { createHandler } from '#functions/dispatchAlarms/handler.ts';
import { readConfig, telemetrySchema } from '#shared/config.ts';
import { makeTickPlant } from '#test/support/alarms/tick-plant.ts';
import { metricsOf } from '#test/support/emf.ts';
import { createTelemetry } from '#wiring/telemetry.ts';

let plant: ReturnType<typeof makeTickPlant>;
let lines: string[];

beforeEach(async () => {
	lines = [];
	plant = makeTickPlant();
	await plant.saveVariable(1);
	await plant.saveAlarm(11, { varId: 1, condition: '>', threshold: 10 });
});

const run = (start: (names: readonly string[]) => Promise<void>) => {
	const settings = readConfig(telemetrySchema, { ENDPOINT: 'dispatchAlarms', ENVIRONMENT: 'dev' });
	const telemetry = createTelemetry({ sink: (line) => lines.push(line), settings });
	return createHandler({ ...plant.deps, ...telemetry, workers: { start } })();
};

test('measures, and starts workers', async () => {
	const started: (readonly string[])[] = [];
	plant.clock.now += 200_000;
	const result = await run(async (names) => void started.push(names));
	expect(result).toEqual({ outcome: 'ok', done: { schemas: 1, late: ['plant_a'], notStarted: 0 } });
	expect(started).toEqual([['plant_a']]);
	const count = (value: number) => ({ unit: 'Count', values: [value] });
	expect(lines.map(metricsOf)).toEqual([
		{
			AlarmLagSeconds: { unit: 'Seconds', values: [200] },
			SchemasEvaluated: count(1),
			SchemasLate: count(1),
			SchemasFailing: count(0),
			AlarmOutboxSeconds: { unit: 'Seconds', values: [0] },
		},
	]);
});

test('a worker that cannot be started is logged', async () => {
	const result = await run(async () => Promise.reject(new Error('Throttled.')));
	expect(result).toMatchObject({ outcome: 'ok', done: { notStarted: 1 } });
	expect(lines[0]).toContain('Throttled.');
});
