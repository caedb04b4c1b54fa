import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyPlan } from '#infra/tools/plant/apply.ts';
import { planChanges } from '#infra/tools/plant/plan.ts';
import { readPlant } from '#infra/tools/plant/plant-api.ts';
import { parsePlantFile, writePlantFile } from '#infra/tools/plant/plant-file.ts';
import { randomFrom } from '#test/support/alarms/random.ts';
import { firstSeed } from '#test/support/cases.ts';
import { type InProcessService, openInProcess } from './in-process.ts';
import { randomPlant, savePlant } from './random-plant.ts';

const noChange = { deletions: null, schema: null };

/** Pull, apply and pull again (infra/tools/plant/README.md#the-file). */
export const roundTripSuite = (cases: number): void => {
	let first: InProcessService;
	let second: InProcessService;
	beforeAll(async () => {
		first = await openInProcess();
		second = await openInProcess();
	});
	afterAll(async () => {
		await first.close();
		await second.close();
	});

	const planOf = async (service: InProcessService, schema: string, text: string, wire = {}) => {
		const { file, faults } = parsePlantFile(text);
		expect(faults).toEqual([]);
		const session = service.session(schema, wire);
		if (file === null) throw new Error('The file cannot be read.');
		return { session, plan: planChanges(file, await readPlant(session), noChange) };
	};
	const pull = async (service: InProcessService, schema: string) => writePlantFile(await readPlant(service.session(schema)));

	test(`comes back byte by byte after it was applied to an empty plant: ${cases} plants from seed ${firstSeed} on`, {
		timeout: 60_000 + cases * 5000,
	}, async () => {
		for (let seed = firstSeed; seed < firstSeed + cases; seed += 1) {
			const schema = `p${seed}`;
			const random = randomFrom(seed);
			await savePlant((request) => first.call(schema, request), randomPlant(random), random);
			const text = await pull(first, schema);
			expect(await pull(first, schema)).toBe(text);
			expect((await planOf(first, schema, text)).plan).toMatchObject({ faults: [], steps: [], left: [] });
			const { session, plan } = await planOf(second, schema, text);
			expect(plan.faults).toEqual([]);
			const results = await applyPlan(session, plan);
			expect(results.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
			expect(await pull(second, schema), `seed ${seed}`).toBe(text);
			let writes = 0;
			const again = await planOf(second, schema, text, {
				before: ({ method }: { method: string }) => {
					if (method === 'POST') writes += 1;
				},
			});
			await applyPlan(again.session, again.plan);
			expect([again.plan.steps, writes]).toEqual([[], 0]);
		}
	});

	test(`with equal names is for its plant only: ${cases} plants from seed ${firstSeed} on`, {
		timeout: 60_000 + cases * 5000,
	}, async () => {
		let withEqualNames = 0;
		for (let seed = firstSeed; seed < firstSeed + cases; seed += 1) {
			const schema = `equal${seed}`;
			const random = randomFrom(seed + 2 ** 30);
			await savePlant((request) => first.call(schema, request), randomPlant(random, { hasEqualNames: true }), random);
			const text = await pull(first, schema);
			expect(await pull(first, schema)).toBe(text);
			expect((await planOf(first, schema, text)).plan).toMatchObject({ faults: [], steps: [] });
			if (!text.includes('"thisPlantOnly": true')) continue;
			withEqualNames += 1;
			const empty = (await planOf(second, schema, text)).plan;
			expect(empty.faults.length).toBeGreaterThan(0);
			const other = (await planOf(second, `other${seed}`, text)).plan;
			expect(other.faults).toEqual([{ path: 'thisPlantOnly', message: expect.stringContaining(schema) }]);
		}
		expect(withEqualNames).toBeGreaterThan(cases / 4);
	});
};
