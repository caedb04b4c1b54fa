import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyPlan } from '#infra/tools/plant/apply.ts';
import { readNumbers } from '#infra/tools/plant/numbers.ts';
import { planChanges } from '#infra/tools/plant/plan.ts';
import { readPlant } from '#infra/tools/plant/plant-api.ts';
import { parsePlantFile } from '#infra/tools/plant/plant-file.ts';
import { type InProcessService, openInProcess } from '#test/support/plant/in-process.ts';
import { plantAlarm, plantVariable } from '#test/support/plant/over-http.ts';

const schema = 'large';
const variables = Array.from({ length: 10_000 }, (_, index) => plantVariable(`Variable ${index}`, `plant/${index}`));
const alarms = Array.from({ length: 100 }, (_, index) => plantAlarm(`Alarm ${index}`, `Variable ${index * 90}`));
const charts = Array.from({ length: 100 }, (_, index) => ({
	title: `Chart ${index}`,
	series: [{ variable: `Variable ${index * 90}` }, { variable: `Variable ${9999 - index}` }],
}));

/** 10,000 variables, in one process with the service. A plan is to take less than a minute on two cores: the time is printed. */
describe('a large plant', () => {
	let service: InProcessService;
	const counts = { reads: 0, writes: 0 };
	beforeAll(async () => {
		service = await openInProcess();
	});
	afterAll(() => service.close());

	const session = () =>
		service.session(schema, {
			before: ({ method }) => {
				if (method === 'GET') counts.reads += 1;
				else counts.writes += 1;
			},
		});
	/** Plans a file from its text, and returns the seconds that it took. */
	const planOf = async (lists: object) => {
		Object.assign(counts, { reads: 0, writes: 0 });
		const content = JSON.stringify({ format: 1, schema, ...lists });
		const begin = performance.now();
		const { file, faults } = parsePlantFile(content);
		if (file === null) throw new Error(JSON.stringify(faults));
		const opened = session();
		const plant = await readPlant(opened);
		const plan = planChanges(file, plant, { deletions: null, schema: null });
		expect([faults, plan.faults]).toEqual([[], []]);
		const numbers = await readNumbers(opened, plan, plant, { days: 1 });
		return { session: opened, plan, numbers, seconds: (performance.now() - begin) / 1000 };
	};

	test('is planned by the fewest requests, and applied by one for each item', { timeout: 600_000 }, async () => {
		const created = await planOf({ variables, alarms, charts });
		console.info(`planned ${created.plan.steps.length} new items in ${created.seconds.toFixed(1)} s`);
		expect(created.plan.steps).toHaveLength(10_200);
		expect(created.numbers.notBacktested).toHaveLength(100);
		// One page of each empty list, and the panel.
		expect(counts).toMatchObject({ reads: 6, writes: 0 });

		const begin = performance.now();
		const results = await applyPlan(created.session, created.plan);
		console.info(`applied them in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
		expect(results.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
		// One request an item.
		expect(counts).toMatchObject({ reads: 6, writes: 10_200 });

		const changed = variables.map((variable, index) => ({ ...variable, unit: index % 10 === 0 ? 'cm' : 'm' }));
		const again = await planOf({ variables: changed, alarms, charts });
		console.info(`planned ${again.plan.steps.length} changes among 10,200 items in ${again.seconds.toFixed(1)} s`);
		expect(again.plan.steps).toHaveLength(1000);
		expect(counts.writes).toBe(0);
		expect(counts.reads).toBeLessThanOrEqual(27);
		expect((await applyPlan(again.session, again.plan)).every(({ outcome }) => outcome === 'done')).toBe(true);
		expect(counts.writes).toBe(1000);
	});
});
