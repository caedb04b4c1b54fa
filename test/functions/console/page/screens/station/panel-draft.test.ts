import { describe, expect, test } from 'vitest';
import { parsePanel } from '#domain/panel/panel.ts';
import type { Variable } from '#page/core/definitions.ts';
import { differencesOf, mergedDraft } from '#page/core/draft-fields.ts';
import {
	type PanelDraft,
	panelBodyOf,
	panelDraftOf,
	panelFields,
	panelProblems,
	withItem,
	withItemInList,
	withItemMoved,
	withNewItem,
	withoutItem,
} from '#page/screens/station/panel-draft.ts';
import { makeBitsBody, makeBody } from '#test/support/builders/builders.ts';

const known: ReadonlyMap<number, Variable> = new Map([
	[3, { ...makeBody({ id: 3 }), version: 1 } as unknown as Variable],
	[8, { ...makeBitsBody({ id: 8, bits: [{ id: 1, name: 'Pump', bit: 0 }] }), version: 1 } as unknown as Variable],
]);

const draft: PanelDraft = {
	title: 'Station',
	pumps: [
		{ id: 1, name: 'Pump 1', varId: 3, bit: null },
		{ id: 4, name: 'Pump 2', varId: 8, bit: 0 },
	],
	states: [{ id: 1, name: 'Inlet valve', varId: 3, bit: null }],
};

const codesOf = (changed: PanelDraft, variables: typeof known | undefined = known) =>
	Object.fromEntries([...panelProblems(changed, variables)].map(([path, { code }]) => [path, code]));

describe('a draft of the panel', () => {
	test('is sent as the service takes it, and read back as the same draft', () => {
		const parsed = parsePanel(panelBodyOf(draft));
		expect(panelDraftOf({ ...parsed, pumps: parsed.pumps.map(toWire), states: parsed.states.map(toWire) })).toEqual(draft);
		expect(codesOf(draft)).toEqual({});
	});

	test('is empty before the first save, which the service refuses', () => {
		expect(codesOf(panelDraftOf(null))).toEqual({ title: 'empty', request: 'panel_empty' });
	});

	test('gives a new item an id that its list does not have', () => {
		const [next, place] = withNewItem(draft, 'pumps', { name: '', varId: null, bit: null });
		expect(place).toEqual({ list: 'pumps', id: 5 });
		expect(next.pumps.map(({ id }) => id)).toEqual([1, 4, 5]);
		expect(codesOf(next)).toEqual({ 'pumps.2.name': 'empty', 'pumps.2.varId': 'choose_variable' });
	});

	test('asks for a bit of a byte until a choice is made; the whole byte is one', () => {
		expect(codesOf(withItem(draft, { list: 'pumps', id: 1 }, { varId: 8, bit: 'choose' }))).toEqual({
			'pumps.0.bit': 'choose_bit',
		});
		expect(codesOf(withItem(draft, { list: 'pumps', id: 1 }, { varId: 8, bit: null }))).toEqual({});
	});

	test('names a variable that was deleted, a bit that is not defined, and a bit of a number', () => {
		expect(codesOf(withItem(draft, { list: 'states', id: 1 }, { varId: 41 }))).toEqual({ 'states.0.varId': 'no_such_variable' });
		expect(codesOf(withItem(draft, { list: 'pumps', id: 4 }, { bit: 1 }))).toEqual({ 'pumps.1.bit': 'no_such_bit' });
		expect(codesOf(withItem(draft, { list: 'pumps', id: 1 }, { bit: 0 }))).toEqual({ 'pumps.0.bit': 'variable_without_bits' });
	});

	test('blames no variable while the variables are not known', () => {
		expect([...panelProblems(withItem(draft, { list: 'pumps', id: 1 }, { varId: 41 }), undefined)]).toEqual([]);
	});

	test('moves an item by one place, and not beyond an end', () => {
		const moved = withItemMoved(draft, { list: 'pumps', id: 4 }, -1);
		expect(moved.pumps.map(({ id }) => id)).toEqual([4, 1]);
		expect(withItemMoved(moved, { list: 'pumps', id: 4 }, -1)).toBe(moved);
		expect(withItemMoved(draft, { list: 'pumps', id: 4 }, 1)).toBe(draft);
	});

	test('moves an item to the end of the other list, where it gets another id', () => {
		const [next, place] = withItemInList(draft, { list: 'pumps', id: 1 }, 'states');
		expect(place).toEqual({ list: 'states', id: 2 });
		expect(next.pumps.map(({ name }) => name)).toEqual(['Pump 2']);
		expect(next.states.map(({ id, name }) => [id, name])).toEqual([
			[1, 'Inlet valve'],
			[2, 'Pump 1'],
		]);
	});
});

describe('two versions of the panel', () => {
	const words = {
		title: 'Title',
		lists: { pumps: 'Pump', states: 'State' },
		order: { pumps: 'Order of pumps', states: 'Order of states' },
		binding: ({ varId, bit }: { varId: number | null; bit: unknown }) => `${varId}/${bit}`,
	};
	/** The differences, and what is merged by a choice of keys. */
	const compare = (theirs: PanelDraft, mine: PanelDraft) => {
		const versions = { base: draft, theirs, mine };
		const fields = panelFields(versions, words);
		return {
			differences: differencesOf(fields, versions),
			merged: (keys: readonly string[]) => mergedDraft(fields, versions, new Set(keys)),
		};
	};
	const place = { list: 'pumps', id: 1 } as const;
	const theirs = withItem({ ...draft, title: 'Theirs' }, { list: 'pumps', id: 4 }, { name: 'Their pump' });
	const mine = withoutItem(withItem(draft, place, { name: 'My pump' }), { list: 'states', id: 1 });

	test('differ in the fields that either changed; mine is chosen where I changed it', () => {
		const { differences } = compare(theirs, mine);
		expect(differences.map(({ key, theirs, mine, isMine }) => [key, theirs, mine, isMine])).toEqual([
			['title', 'Theirs', 'Station', false],
			['pumps 1', 'Pump 1: 3/null', 'My pump: 3/null', true],
			['pumps 4', 'Their pump: 8/0', 'Pump 2: 8/0', false],
			['states 1', 'Inlet valve: 3/null', '', true],
		]);
	});

	test('become one by the choices, and lose nothing that was not chosen away', () => {
		const { differences, merged: mergedBy } = compare(theirs, mine);
		const merged = mergedBy(differences.filter(({ isMine }) => isMine).map(({ key }) => key));
		expect(merged.title).toBe('Theirs');
		expect(merged.pumps.map(({ name }) => name)).toEqual(['My pump', 'Their pump']);
		expect(merged.states).toEqual([]);
		expect(mergedBy([])).toEqual(theirs);
		expect(mergedBy(differences.map(({ key }) => key))).toEqual(mine);
	});

	test('differ in their order, which can be chosen by itself', () => {
		const moved = withItemMoved(draft, place, 1);
		const { differences, merged } = compare(theirs, moved);
		expect(differences.find(({ key }) => key === 'pumps order')).toMatchObject({
			theirs: 'Pump 1, Their pump',
			mine: 'Their pump, Pump 1',
			isMine: true,
		});
		expect(merged(['pumps order']).pumps.map(({ name }) => name)).toEqual(['Their pump', 'Pump 1']);
	});

	test('differ in the order of items that have one name', () => {
		const twins = withItem(draft, place, { name: 'Pump 2' });
		const { differences, merged } = compare(twins, withItemMoved(twins, place, 1));
		expect(differences.find(({ key }) => key === 'pumps order')).toMatchObject({
			theirs: 'Pump 2 (1), Pump 2 (4)',
			mine: 'Pump 2 (4), Pump 2 (1)',
		});
		expect(merged(['pumps order']).pumps.map(({ id }) => id)).toEqual([4, 1]);
	});

	test('both keep what each person added, though the new items have one id', () => {
		const added = (name: string) => withNewItem(draft, 'pumps', { name, varId: 3, bit: null })[0];
		const { differences, merged: mergedBy } = compare(added('Theirs'), added('Mine'));
		const merged = mergedBy(differences.filter(({ isMine }) => isMine).map(({ key }) => key));
		expect(merged.pumps.map(({ id, name }) => [id, name])).toEqual([
			[1, 'Pump 1'],
			[4, 'Pump 2'],
			[5, 'Theirs'],
			[6, 'Mine'],
		]);
	});
});

const toWire = <Item extends { bit?: number | undefined }>({ bit, ...item }: Item) => ({ ...item, bit: bit ?? null });
