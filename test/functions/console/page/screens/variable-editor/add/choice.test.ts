import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	areAllChosen,
	type ChoiceRow,
	type ChoiceView,
	choiceRows,
	chosenAfter,
	chosenAfterAll,
	filterCounts,
	shownRows,
} from '#page/screens/variable-editor/add/choice.ts';
import type { ListedSeries } from '#page/screens/variable-editor/add/topic-store.ts';
import { branchesAround, treeNodes } from '#page/screens/variable-editor/add/topic-tree.ts';

const now = Date.parse('2026-11-24T12:00:00Z');
const listed = (topic: string, part: Partial<ListedSeries> = {}): ListedSeries => ({
	...{ topic, field: 'value', tags: {}, type: 'float', variables: [] },
	newest: { time: new Date(now - 5000).toISOString(), value: 1 },
	...part,
});
const view: ChoiceView = { prefix: '', search: '', filter: 'all', writtenWithinMs: null, chosen: new Set(), now };
const series = [
	listed('plant/a', { variables: [3] }),
	listed('plant/b', { variables: [4] }),
	listed('wells/10/flow'),
	listed('wells/2/flow'),
	listed('wells/2/level', { variables: [7] }),
	listed('wells/2/name', { type: 'text', newest: { time: new Date(now).toISOString(), value: null } }),
	listed('wells/3/temp', { type: 'mixed' }),
	listed('wells/4/old', { newest: { time: new Date(now - 3 * 86_400_000).toISOString(), value: 2 } }),
];
const rows = choiceRows(series);
const row = (topic: string) => [...rows, ...choiceRows([listed(topic)])].find((each) => each.topic === topic) as ChoiceRow;
const topics = (part: Partial<ChoiceView>) => shownRows(rows, { ...view, ...part }).map(({ topic }) => topic);

describe('the series that can be chosen', () => {
	test('stand by group, those without a variable first, and numbers by their size', () => {
		expect(topics({})).toEqual([
			...['wells/2/flow', 'wells/2/name', 'wells/3/temp', 'wells/4/old', 'wells/10/flow', 'wells/2/level'],
			...['plant/a', 'plant/b'],
		]);
	});

	test('are narrowed by branch, words, filter and age; what is chosen stays', () => {
		expect(topics({ prefix: 'wells/2/' })).toHaveLength(3);
		expect(topics({ search: 'FLOW wells' })).toEqual(['wells/2/flow', 'wells/10/flow']);
		expect(topics({ filter: 'silent' })).toEqual(['wells/4/old']);
		expect(topics({ writtenWithinMs: 3_600_000 })).not.toContain('wells/4/old');
		expect(topics({ writtenWithinMs: 3_600_000, chosen: new Set([row('wells/4/old').key]) })).toContain('wells/4/old');
		expect(filterCounts(rows, view)).toEqual({ all: 8, without: 5, chosen: 0, silent: 1 });
	});

	test('are chosen alone or as a range; text and mixed types never are', () => {
		const shown = shownRows(rows, view);
		const first = chosenAfter(new Set(), shown, row('wells/2/flow'), null);
		expect(first.size).toBe(1);
		const range = chosenAfter(first, shown, row('wells/10/flow'), row('wells/2/flow').key);
		expect([...range].toSorted()).toEqual(['wells/10/flow', 'wells/2/flow', 'wells/4/old'].map((topic) => row(topic).key));
		expect(chosenAfter(range, shown, row('wells/4/old'), null).has(row('wells/4/old').key)).toBe(false);
		expect(chosenAfter(new Set(), shown, row('wells/2/name'), null).size).toBe(0);
		// A topic may have several variables.
		expect(chosenAfter(new Set(), shown, row('plant/a'), null).size).toBe(1);
		const all = chosenAfterAll(new Set(), shown);
		expect([...all]).toEqual(expect.arrayContaining([...range]));
		expect(all.size).toBe(3);
		expect(chosenAfterAll(all, shown).size).toBe(0);
		expect([new Set<string>(), first, all].map((some) => areAllChosen(some, shown))).toEqual([false, false, true]);
	});
});

describe('the tree of topics', () => {
	test('has the branches in view, with their counts', () => {
		const nodes = treeNodes(series, new Set(['wells/']));
		expect(nodes.map(({ prefix, level, count, without }) => [prefix, level, count, without])).toEqual([
			['plant/', 1, 2, 0],
			['wells/', 1, 6, 5],
			['wells/10/', 2, 1, 1],
			['wells/2/', 2, 3, 2],
			['wells/3/', 2, 1, 1],
			['wells/4/', 2, 1, 1],
		]);
		expect(branchesAround('a/b/c/')).toEqual(['a/', 'a/b/']);
		expect(branchesAround('a/')).toEqual([]);
	});

	test('counts every series below the branch that it begins with', () => {
		const topic = fc.array(fc.constantFrom('a', 'b', '', 'c'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
		fc.assert(
			fc.property(fc.array(topic, { maxLength: 15 }), (names) => {
				const found = names.map((name) => listed(name));
				const all = new Set(names.flatMap((name) => branchesAround(`${name}/`)));
				for (const { prefix, count } of treeNodes(found, all))
					expect(count, prefix).toBe(names.filter((name) => name.startsWith(prefix)).length);
			}),
		);
	});
});

describe('several tag sets of a topic and field', () => {
	const device = (tags: ListedSeries['tags'], part: Partial<ListedSeries> = {}) =>
		listed('modbus', { field: 'flow', tags, ...part });

	test('are rows of their own, with the tags that tell them apart, by the size of the numbers', () => {
		const rows = choiceRows([
			device({ host: 'gw', slave_id: '10', name: 'pump' }),
			device({ host: 'gw', slave_id: '2' }),
			device({ host: 'gw' }, { field: 'hours' }),
		]);
		expect(rows.map(({ field, queryTags }) => [field, queryTags])).toEqual([
			['flow', { name: '', slave_id: '2' }],
			['flow', { name: 'pump', slave_id: '10' }],
			['hours', {}],
		]);
		expect(new Set(rows.map(({ key }) => key)).size).toBe(3);
		expect(shownRows(rows, { ...view, search: 'slave_id=10' })).toEqual([rows[1]]);
	});
});
