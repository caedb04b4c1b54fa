import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '#test/e2e/target.ts';
import {
	openPlantService,
	type PlantService,
	type PlantTenant,
	plantAlarm,
	plantVariable,
} from '#test/support/plant/over-http.ts';

const units = ['m', 'm³/h', 'bar', '°C'] as const;
const wells = Array.from({ length: 40 }, (_, index) => index + 1);
const unitOf = (well: number): string => units[well % units.length] ?? '';

/** A plant from an empty tenant, and the next one from its file (infra/tools/plant/README.md#the-next-plant). */
describe('a newcomer', () => {
	let service: PlantService;
	let url: readonly [string, string];
	beforeAll(async () => {
		service = await openPlantService();
		url = ['--url', service.target.baseUrl];
	});
	afterAll(() => service.close());

	const feed = (database: string, prefix: string, levelOf: (well: number) => number) =>
		service.target.feed(
			database,
			wells.map((well) => `${prefix}/well${well},site=${prefix} value=${levelOf(well)} ${Date.now() - 30_000}`).join('\n'),
		);
	const readings = async ({ token }: PlantTenant) => {
		const { body: listed } = await call(service.target, 'GET', '/getVarsTsdb?limit=500', { token });
		const ids = listed.data.map(({ id }: { id: number }) => id);
		const { body } = await call(service.target, 'POST', '/multipleDataTsdb', { token, body: { ids } });
		return new Map(
			listed.data.map(({ name, unit }: { name: string; unit: string }, index: number) => {
				const { value, quality } = body.data[index];
				return [name, { unit, value, quality }];
			}),
		);
	};
	const expected = (prefix: string, levelOf: (well: number) => number) =>
		new Map(wells.map((well) => [`${prefix} well ${well}`, { unit: unitOf(well), value: levelOf(well), quality: 'good' }]));
	const alarms = async ({ token }: PlantTenant) => (await call(service.target, 'GET', '/getAlarms', { token })).body.data;

	test('has 40 topics as 40 variables with units and an alarm by one apply; the next plant is one replacement away', async () => {
		const northern = (well: number): number => well * 1.5;
		const southern = (well: number): number => (well === 1 ? 0 : -well);
		await feed('plant_a', 'north', northern);
		await feed('plant_b', 'south', southern);
		const file = service.write('north.json', {
			format: 1,
			schema: 'plant_a',
			variables: wells.map((well) => plantVariable(`north well ${well}`, `north/well${well}`, unitOf(well))),
			alarms: [plantAlarm('north high', 'north well 7')],
		});
		const begin = performance.now();
		const applied = await service.plant(['apply', file, ...url, '--yes'], service.a.machine);
		const seconds = (performance.now() - begin) / 1000;
		expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining('41 of 41 steps done.')]);
		console.info(`plant apply: 40 variables and an alarm in ${seconds.toFixed(1)} s`);
		expect(await readings(service.a)).toEqual(expected('north', northern));
		expect(await alarms(service.a)).toMatchObject([{ name: 'north high', threshold: 10 }]);

		const pulled = service.path('pulled.json');
		expect(await service.plant(['pull', pulled, ...url], service.a.machine)).toMatchObject({ code: 0 });
		const next = service.write('south.json', service.read('pulled.json').replaceAll('north', 'south'));
		const unsaid = await service.plant(['apply', next, ...url, '--yes'], service.b.machine);
		expect([unsaid.code, unsaid.stdout]).toEqual([1, expect.stringContaining('say --schema plant_b')]);
		const other = await service.plant(['apply', next, ...url, '--schema', 'plant_b', '--yes'], service.b.machine);
		expect([other.code, other.stdout]).toEqual([0, expect.stringContaining('41 of 41 steps done.')]);
		expect(await readings(service.b)).toEqual(expected('south', southern));
		const [alarm] = await alarms(service.b);
		const { body } = await call(service.target, 'GET', `/getVarsTsdb?ids=${alarm.varId}`, { token: service.b.token });
		expect([alarm.name, body.data[0].name]).toEqual(['south high', 'south well 7']);
		// The first plant is as it was.
		expect(await readings(service.a)).toEqual(expected('north', northern));
	});

	test('has a second plant beside the first one in the same tenant', async () => {
		await feed('plant_a', 'east', (well) => well + 0.25);
		const pulled = service.path('beside.json');
		expect(await service.plant(['pull', pulled, ...url], service.a.machine)).toMatchObject({ code: 0 });
		const east = service.write('east.json', service.read('beside.json').replaceAll('north', 'east'));
		const applied = await service.plant(['apply', east, ...url, '--yes'], service.a.machine);
		expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining('41 of 41 steps done.')]);
		const both = await readings(service.a);
		expect(both).toEqual(new Map([...expected('north', (well) => well * 1.5), ...expected('east', (well) => well + 0.25)]));
	});
});
