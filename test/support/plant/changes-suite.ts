import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyPlan } from '#infra/tools/plant/apply.ts';
import { writeName } from '#infra/tools/plant/item-name.ts';
import { readNumbers } from '#infra/tools/plant/numbers.ts';
import { planChanges } from '#infra/tools/plant/plan.ts';
import { readPlant } from '#infra/tools/plant/plant-api.ts';
import { parsePlantFile, writePlantFile } from '#infra/tools/plant/plant-file.ts';
import { type Random, randomFrom } from '#test/support/alarms/random.ts';
import { firstSeed } from '#test/support/cases.ts';
import { type InProcessService, openInProcess, plantNow } from './in-process.ts';
import { plantTopics, randomPlant, savePlant } from './random-plant.ts';

type Item = Record<string, unknown>;
type FileJson = Record<'variables' | 'charts' | 'alarms', Item[]> & { schema: string };

const hourMs = 3_600_000;
const days = 2;
const end = Math.floor(plantNow / hourMs) * hourMs;
const start = end - days * 24 * hourMs;
const noChange = { deletions: null, schema: null };

const mapText = (value: unknown, replace: (key: string, text: string) => string): unknown => {
	if (Array.isArray(value)) return value.map((item) => mapText(item, replace));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, field]) => [key, typeof field === 'string' ? replace(key, field) : mapText(field, replace)]),
	);
};

const queriesOf = (variable: Item): Item[] => Object.values(variable['varsTsdb'] as Record<string, Item>);

/** Makes one to three edits of a file, as a person would: what a variable reads, its formula, its name, an alarm. */
const editFile = (text: string, random: Random): string => {
	let file = JSON.parse(text) as FileJson;
	for (let edit = random.integer(1, 3); edit > 0; edit -= 1) {
		const variable = random.pick(file.variables);
		const query = random.pick(queriesOf(variable));
		const kind = random.pick(['topic', 'aggregate', 'formula', 'rename', 'alarm', 'chart', 'unit']);
		if (kind === 'topic') query['calc_topic'] = random.pick([...plantTopics, 'nowhere']);
		else if (kind === 'aggregate' && variable['binary_compressed'] !== true)
			query['calc_type_period'] = query['calc_type_period'] === 'last' ? 'mean' : 'last';
		else if (kind === 'formula' && typeof variable['equation'] === 'string')
			variable['equation'] = `${variable['equation']} * ${random.integer(2, 9)}`;
		else if (kind === 'rename') {
			const was = variable['name'] as string;
			const name = writeName({ name: `Renamed ${random.integer(1, 9999)} 🌊` });
			if (variable['was'] !== undefined) continue;
			file = mapText(file, (key, field) => (key === 'variable' && field === was ? name : field)) as FileJson;
			const renamed = file.variables.find((each) => each['name'] === was);
			if (renamed !== undefined) Object.assign(renamed, { name, was });
		} else if (kind === 'alarm' && file.alarms.length > 0) {
			const alarm = random.pick(file.alarms);
			alarm['threshold'] = random.integer(0, 40);
			delete alarm['onDelaySeconds'];
		} else if (kind === 'chart' && file.charts.length > 0)
			(random.pick(file.charts)['series'] as Item[]).push({ variable: random.pick(file.variables)['name'], label: 'Added' });
		else if (kind === 'unit') variable['unit'] = `u${random.integer(1, 99)}`;
	}
	return JSON.stringify(file);
};

/** What is expected of two histories, written anew. */
const difference = (bounds: readonly number[], before: readonly (number | null)[], after: readonly (number | null)[]) => {
	const pairs = before.map((old, index) => ({ old, next: after[index] ?? null, at: bounds[index] ?? 0 }));
	const changed = pairs.filter(({ old, next }) => !Object.is(old, next));
	const both = changed.flatMap(({ old, next, at }) =>
		old === null || next === null ? [] : [{ old, next, at, by: Math.abs(old - next) }],
	);
	const [largest] = both.toSorted((a, b) => b.by - a.by || a.at - b.at);
	return {
		hours: pairs.length,
		changed: changed.length,
		gained: changed.filter(({ old }) => old === null).length,
		lost: changed.filter(({ next }) => next === null).length,
		largest: largest === undefined ? null : { at: new Date(largest.at).toISOString(), before: largest.old, after: largest.next },
	};
};

/** The numbers of plans are those that the service answers before and after (infra/tools/plant/README.md#the-plan). */
export const changesSuite = (cases: number): void => {
	let service: InProcessService;
	beforeAll(async () => {
		service = await openInProcess();
		for (const [index, topic] of plantTopics.entries())
			await service.write(
				topic,
				Array.from(
					{ length: days * 72 },
					(_, step) => [start + step * 20 * 60_000, ((step * 7 + index * 13) % 41) - 0.5 * index] as const,
				),
			);
	});
	afterAll(() => service.close());

	test(`says of ${cases} random edits from seed ${firstSeed} on what they do to numbers, and renames keep ids`, {
		timeout: 60_000 + cases * 5000,
	}, async () => {
		let [compared, changedHours, backtested, renamed] = [0, 0, 0, 0];
		for (let seed = firstSeed; seed < firstSeed + cases; seed += 1) {
			const schema = `edit${seed}`;
			const random = randomFrom(seed);
			await savePlant((request) => service.call(schema, request), randomPlant(random), random);
			const session = service.session(schema);
			const before = await readPlant(session);
			const edited = editFile(writePlantFile(before), random);
			const { file, faults } = parsePlantFile(edited);
			if (file === null) throw new Error(JSON.stringify(faults));
			const plan = planChanges(file, before, noChange);
			expect(plan.faults, edited).toEqual([]);
			const numbers = await readNumbers(session, plan, before, { days });
			const ids = new Map(plan.steps.map(({ kind, name, id }) => [`${kind} ${name}`, id]));
			const histories = async (names: readonly string[]) => {
				const answer = await session.api.POST('/history', {
					body: {
						ids: names.map((name) => ids.get(`variable ${name}`) ?? 0),
						start: String(new Date(start).toISOString()),
						end: new Date(end).toISOString(),
						period: { count: 1, unit: 'h' },
					},
				});
				if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
				return answer.data.data;
			};
			const raised = async (name: string, from: string, to: string) => {
				const id = ids.get(`alarm ${name}`) ?? 0;
				const { items } = await readPlant(session);
				const stored = items.find((item) => item.kind === 'alarm' && item.id === id);
				const query = { dryRun: '1', start: from, end: to } as const;
				const { data, error } = await session.api.POST('/saveAlarm', {
					params: { query },
					body: { ...stored?.content, id } as never,
				});
				if (data === undefined || !('backtest' in data.data)) throw new Error(JSON.stringify(error));
				return data.data.backtest?.raised;
			};
			const names = numbers.variables.map(({ name }) => name);
			const old = names.length === 0 ? null : await histories(names);
			const oldRaised = [];
			for (const { name, start: from, end: to } of numbers.alarms) oldRaised.push(await raised(name, from, to));
			const results = await applyPlan(session, plan);
			expect(results.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
			const next = names.length === 0 ? null : await histories(names);
			for (const [index, { name, unknown, ...told }] of numbers.variables.entries()) {
				const expected = difference(
					old?.bounds ?? [],
					old?.variables[index]?.values.own ?? [],
					next?.variables[index]?.values.own ?? [],
				);
				expect(unknown, name).toBeNull();
				expect(told, `seed ${seed}: ${name}`).toEqual(expected);
				compared += 1;
				changedHours += expected.changed;
			}
			for (const [index, { name, before: was, after, start: from, end: to }] of numbers.alarms.entries()) {
				expect([was, after]).toEqual([oldRaised[index], await raised(name, from, to)]);
				backtested += 1;
			}
			const after = await readPlant(session);
			expect(after.items.map(({ kind, id }) => `${kind} ${id}`).sort()).toEqual(
				before.items.map(({ kind, id }) => `${kind} ${id}`).sort(),
			);
			renamed += plan.steps.filter(({ was }) => was !== null).length;
			expect(planChanges(file, after, noChange)).toMatchObject({ faults: [], steps: [] });
		}
		// The edits reach what is compared. Of a few, it is chance whether they reach each.
		if (cases > 50) expect(Math.min(compared, changedHours, backtested, renamed)).toBeGreaterThan(0);
	});
};
