import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyPlan } from '#infra/tools/plant/apply.ts';
import { type PlantPlan, planChanges } from '#infra/tools/plant/plan.ts';
import { readPlant } from '#infra/tools/plant/plant-api.ts';
import { parsePlantFile, writePlantFile } from '#infra/tools/plant/plant-file.ts';
import { randomFrom } from '#test/support/alarms/random.ts';
import { firstSeed } from '#test/support/cases.ts';
import { type InProcessService, openInProcess, type Wire } from './in-process.ts';
import { randomPlant, savePlant } from './random-plant.ts';

type FileJson = Record<'variables' | 'charts' | 'diagrams' | 'reports' | 'alarms', Record<string, unknown>[]>;

/** A plan of every action over a random plant: renames, changes, new items, and with `deletes` deletions. */
const edited = (
	text: string,
	{ deletes }: { readonly deletes: boolean },
): { readonly text: string; readonly deletions: number | null } => {
	const file = JSON.parse(text) as FileJson & { format: number };
	for (const list of [file.charts, file.diagrams, file.reports])
		for (const item of list) Object.assign(item, { title: `New ${String(item['title'])}`, was: item['title'] });
	for (const [index, alarm] of file.alarms.entries()) alarm['threshold'] = 1000 + index;
	for (const variable of file.variables) variable['unit'] = 'new';
	const [first] = file.variables;
	const copies = ['A', 'B', 'C'].map((name) => ({ ...first, name: `New ${name}` }));
	file.variables.push(...copies);
	const series = copies.map(({ name }) => ({ variable: name }));
	file.charts.push({ title: 'New chart', series }, { title: 'Other chart', series });
	const removed = deletes ? file.alarms.splice(0).length + file.reports.splice(0).length : null;
	return { text: JSON.stringify(file), deletions: removed };
};

/** A field of each kind that somebody else changes. */
const textFieldOf = { variable: 'process', chart: 'title', diagram: 'title', report: 'title', alarm: 'message' } as const;

class BrokenConnection extends Error {}

/** Applications that somebody or something disturbs (infra/tools/plant/README.md#applying). */
export const interruptionSuite = (places: number, kills: number): void => {
	let service: InProcessService;
	beforeAll(async () => {
		service = await openInProcess();
	});
	afterAll(() => service.close());

	const open = async (schema: string, text: string, deletions: number | null, wire: Wire = {}) => {
		const { file, faults } = parsePlantFile(text);
		if (file === null) throw new Error(JSON.stringify(faults));
		const session = service.session(schema, wire);
		const plant = await readPlant(session);
		const plan: PlantPlan = planChanges(file, plant, { deletions, schema: null });
		expect(plan.faults).toEqual([]);
		return { session, plan, plant };
	};
	const seed = async (schema: string, number: number): Promise<string> => {
		const random = randomFrom(number);
		await savePlant((request) => service.call(schema, request), randomPlant(random), random);
		return writePlantFile(await readPlant(service.session(schema)));
	};

	test(`never overwrites what somebody saves after the plan: ${places} places from seed ${firstSeed} on`, {
		timeout: 60_000 + places * 5000,
	}, async () => {
		let tried = 0;
		for (let number = firstSeed; tried < places; number += 1) {
			const schema = `between${number}`;
			const { text, deletions } = edited(await seed(schema, number), { deletes: number % 3 === 0 });
			const { session, plan, plant } = await open(schema, text, deletions);
			const targets = plan.steps.filter(({ action, kind }) => action !== 'create' && kind !== 'panel');
			const target = targets[number % targets.length];
			if (target === undefined) continue;
			tried += 1;
			const stored = plant.items.find(({ kind, id }) => kind === target.kind && id === target.id);
			const path = {
				variable: 'saveVariable',
				chart: 'saveChart',
				diagram: 'saveDiagram',
				report: 'saveReport',
				alarm: 'saveAlarm',
			};
			const { kind } = target;
			if (kind === 'panel' || stored === undefined) throw new Error('The panel is no target.');
			const theirs = {
				...stored.content,
				id: stored.id,
				[textFieldOf[kind]]: 'theirs',
			};
			const saved = await service.call(
				schema,
				new Request(`http://plant.invalid/${path[kind]}`, {
					method: 'POST',
					body: JSON.stringify(theirs),
					headers: { 'content-type': 'application/json' },
				}),
			);
			expect(saved.status).toBe(200);
			const results = await applyPlan(session, plan);
			const conflicts = results.filter(({ outcome }) => outcome === 'conflict');
			expect(conflicts.map(({ step }) => step)).toEqual([target]);
			expect(conflicts[0]?.message).toMatch(/^Somebody changed it: version \d+ was planned on, and version \d+ is stored/);
			expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
			const after = await readPlant(session);
			const kept = after.items.find((item) => item.kind === kind && item.id === target.id);
			expect(kept?.content).toEqual({ ...stored.content, ...JSON.parse(JSON.stringify(theirs)), id: undefined });
			// The rest is as planned: a new plan has the target only.
			const { file } = parsePlantFile(text);
			if (file === null) throw new Error('The file was read before.');
			// Of the deletions, only that of the target is left.
			const deletionsWithoutTarget = deletions === null ? null : 0;
			const left = planChanges(file, after, {
				deletions: target.action === 'delete' ? 1 : deletionsWithoutTarget,
				schema: null,
			});
			expect(left.steps.filter(({ kind: other, id }) => other !== kind || id !== target.id).map(({ name }) => name)).toEqual(
				// Where the target was to be renamed, it does not have its old name any more, and is created as another one.
				left.steps.filter(({ action, kind: other }) => action === 'create' && other === kind).map(({ name }) => name),
			);
		}
	});

	test(`ends at the same state after it was killed and run again: ${kills} times from seed ${firstSeed} on`, {
		timeout: 60_000 + kills * 5000,
	}, async () => {
		for (let number = firstSeed; number < firstSeed + kills; number += 1) {
			const schema = `killed${number}`;
			const random = randomFrom(number + 2 ** 30);
			const { text, deletions } = edited(await seed(schema, number), { deletes: number % 2 === 0 });
			const first = await open(schema, text, deletions, brokenAfter(random.integer(1, 30), { isAnswered: random.chance(0.5) }));
			await applyPlan(first.session, first.plan).catch((error: unknown) => error);
			const { file } = parsePlantFile(text);
			if (file === null) throw new Error('The file was read before.');
			// A plan of what is still there: less may be left to delete.
			const session = service.session(schema);
			const plant = await readPlant(session);
			const counted = planChanges(file, plant, { deletions: null, schema: null });
			const rest =
				deletions === null
					? counted
					: planChanges(file, plant, { deletions: counted.left.filter((label) => label !== 'the panel').length, schema: null });
			expect(rest.faults).toEqual([]);
			expect((await applyPlan(session, rest)).filter(({ outcome }) => outcome !== 'done')).toEqual([]);
			const wanted = await undisturbed(schema, text, deletions, number);
			expect(writePlantFile(await readPlant(session)), `number ${number}`).toBe(wanted.replaceAll(`whole${schema}`, schema));
		}
	});

	/** What the same file makes of the same plant where nothing happens. */
	const undisturbed = async (schema: string, text: string, deletions: number | null, number: number): Promise<string> => {
		const other = `whole${schema}`;
		await seed(other, number);
		const { session, plan } = await open(other, text.replaceAll(`"schema":"${schema}"`, `"schema":"${other}"`), deletions);
		expect((await applyPlan(session, plan)).filter(({ outcome }) => outcome !== 'done')).toEqual([]);
		return writePlantFile(await readPlant(session));
	};
};

/**
 * Breaks every connection from a change on, before the service gets it or, with `isAnswered`, before its answer arrives. The change after
 * the first lost answer still reaches the service.
 */
const brokenAfter = (changes: number, { isAnswered }: { readonly isAnswered: boolean }): Wire => {
	let count = 0;
	const breakFrom = ({ method }: { method: string }, { isLate }: { readonly isLate: boolean }): void => {
		if (method !== 'POST') return;
		if (isLate === isAnswered) count += 1;
		if (count >= changes && (isLate || count > changes || !isAnswered)) throw new BrokenConnection('The connection broke.');
	};
	return { before: (request) => breakFrom(request, { isLate: false }), after: (request) => breakFrom(request, { isLate: true }) };
};
