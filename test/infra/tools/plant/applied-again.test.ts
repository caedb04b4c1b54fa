import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyPlan } from '#infra/tools/plant/apply.ts';
import { planChanges } from '#infra/tools/plant/plan.ts';
import { readPlant } from '#infra/tools/plant/plant-api.ts';
import { parsePlantFile } from '#infra/tools/plant/plant-file.ts';
import { type InProcessService, openInProcess, type Wire } from '#test/support/plant/in-process.ts';
import { plantAlarm, plantVariable } from '#test/support/plant/over-http.ts';

/** A file that is applied once more, within the day in which answers are repeated (infra/tools/plant/README.md#applying). */
describe('a file that is applied again', () => {
	let service: InProcessService;
	let number = 0;
	let schema: string;
	beforeAll(async () => {
		service = await openInProcess();
	});
	afterAll(() => service.close());
	const start = (): void => {
		number += 1;
		schema = `again${number}`;
	};

	const planOf = async (lists: object, deletions: number | null = null, wire: Wire = {}) => {
		const { file } = parsePlantFile(JSON.stringify({ format: 1, schema, ...lists }));
		if (file === null) throw new Error('The file cannot be read.');
		const session = service.session(schema, wire);
		const plan = planChanges(file, await readPlant(session), { deletions, schema: null });
		expect(plan.faults).toEqual([]);
		return { session, plan };
	};
	const apply = async (lists: object, deletions: number | null = null) => {
		const { session, plan } = await planOf(lists, deletions);
		const results = await applyPlan(session, plan);
		return results.map(({ outcome, message }) => `${outcome} ${message}`.trim());
	};
	const items = async () => (await readPlant(service.session(schema))).items;
	const post = async (path: string, body: unknown) => {
		const request = new Request(`http://plant.invalid${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		expect((await service.call(schema, request)).status).toBe(200);
	};

	test('creates what somebody renamed since, and refers to the new one', async () => {
		start();
		const file = { variables: [plantVariable('A', 'plant/a')] };
		expect(await apply(file)).toEqual(['done']);
		const [first] = await items();
		await post('/saveVariable', { ...plantVariable('B', 'plant/b'), id: first?.id });
		const withChart = { ...file, charts: [{ title: 'C', series: [{ variable: 'A' }] }] };
		expect(await apply(file)).toEqual(['done']);
		expect(await apply(withChart)).toEqual(['done']);
		const variables = (await items()).filter(({ kind }) => kind === 'variable');
		expect(variables.map(({ name }) => name).toSorted()).toEqual(['A', 'B']);
		const made = variables.find(({ name }) => name === 'A');
		expect((await items()).find(({ kind }) => kind === 'chart')?.content['series']).toEqual([{ varId: made?.id }]);
	});

	test('names as a conflict what was created by the same request and changed since', async () => {
		start();
		const file = { variables: [plantVariable('A', 'plant/a')] };
		const [one, other] = [await planOf(file), await planOf(file)];
		expect((await applyPlan(one.session, one.plan)).map(({ outcome }) => outcome)).toEqual(['done']);
		const [first] = await items();
		await post('/saveVariable', { ...plantVariable('A', 'plant/b'), id: first?.id });
		expect(await applyPlan(other.session, other.plan)).toMatchObject([
			{ outcome: 'conflict', message: 'Somebody changed it after it was created. Plan again.' },
		]);
		expect(await items()).toHaveLength(1);
	});

	test('deletes an item that has the name and version of one that it deleted before', async () => {
		start();
		const left = { variables: [plantVariable('A', 'plant/a')] };
		await apply(left);
		for (const _ of [1, 2]) {
			await post('/saveVariable', { ...plantVariable('Z', 'plant/z'), id: 0 });
			expect(await apply(left, 1)).toEqual(['done']);
			expect((await items()).map(({ name }) => name)).toEqual(['A']);
		}
	});

	test('deletes no variable that somebody used after the plan', async () => {
		start();
		const names = ['A', 'Y', 'Z'];
		const variables = names.map((name) => plantVariable(name, 'plant/a'));
		await apply({ variables, charts: [{ title: 'C', series: [{ variable: 'Z' }] }] });
		const { session, plan } = await planOf({ variables: variables.slice(0, 1) }, 3);
		const idOf = async (name: string) => (await items()).find((item) => item.name === name)?.id;
		// One chart is changed after the plan, an alarm is new, and neither variable is.
		await post('/saveChart', { title: 'C', series: [{ varId: await idOf('Z'), label: 'theirs' }], id: await idOf('C') });
		await post('/saveAlarm', { ...plantAlarm('Theirs', ''), variable: undefined, varId: await idOf('Y'), id: 0 });
		const before = await items();
		const results = await applyPlan(session, plan);
		expect(results.map(({ step, outcome, message }) => [step.name, outcome, message])).toEqual([
			['C', 'conflict', expect.stringContaining('Somebody changed it')],
			['Y', 'conflict', 'Still used by alarm "Theirs". Plan again.'],
			['Z', 'conflict', 'Still used by chart "C". Plan again.'],
		]);
		expect(await items()).toEqual(before);
	});

	test('deletes a variable of a panel that the file lacks: the panel stays, as it says', async () => {
		start();
		const variables = ['A', 'Z'].map((name) => plantVariable(name, 'plant/a'));
		const pumps = [{ id: 1, name: 'P', type: 'pump', variable: 'Z' }];
		await apply({ variables, panel: { title: 'P', pumps, states: [] } });
		expect(await apply({ variables: variables.slice(0, 1) }, 1)).toEqual(['done']);
		expect((await items()).map(({ kind, name }) => `${kind} ${name}`)).toEqual(['variable A', 'panel P']);
	});

	test('never overwrites a panel that somebody made or changed after the plan', async () => {
		start();
		const variables = [plantVariable('A', 'plant/a')];
		const panel = (title: string, reference: object) => ({
			title,
			pumps: [{ id: 1, name: 'P', type: 'pump', ...reference }],
			states: [],
		});
		const wanted = { variables, panel: panel('wanted', { variable: 'A' }) };
		await apply({ variables });
		const varId = (await items())[0]?.id;
		for (const reason of ['Somebody created a panel meanwhile', 'Somebody changed it: version 1 was planned on']) {
			const { session, plan } = await planOf(wanted);
			await post('/bombs', panel(`theirs ${reason}`, { varId }));
			expect(await applyPlan(session, plan)).toMatchObject([{ outcome: 'conflict', message: expect.stringContaining(reason) }]);
			expect((await items()).find(({ kind }) => kind === 'panel')?.content['title']).toBe(`theirs ${reason}`);
		}
		expect(await apply(wanted)).toEqual(['done']);
	});

	test('says what was done when the service cannot be reached any more', async () => {
		start();
		let saves = 0;
		const wire: Wire = {
			before: ({ method }) => {
				if (method === 'POST') saves += 1;
				if (saves > 10) throw new Error('The connection broke.');
			},
		};
		const names = Array.from({ length: 40 }, (_, index) => `V${index}`);
		const { session, plan } = await planOf({ variables: names.map((name) => plantVariable(name, 'plant/a')) }, null, wire);
		const results = await applyPlan(session, plan);
		const count = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).length;
		expect([results.length, count('done'), count('conflict')]).toEqual([40, 10, 0]);
		expect([count('failed') > 0, count('failed') <= 4]).toEqual([true, true]);
		expect(results.find(({ outcome }) => outcome === 'failed')?.message).toMatch(
			/cannot be reached: .*Run this again to continue/,
		);
		expect(await items().catch(() => [])).toHaveLength(10);
	});
});
