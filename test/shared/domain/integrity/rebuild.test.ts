import { beforeEach, describe, expect, test } from 'vitest';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import { findInconsistencies } from '#domain/integrity/find-inconsistencies.ts';
import { readStoredSchema } from '#domain/integrity/stored-schema.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import type { WriteDeps } from '#domain/transaction/run-transaction.ts';
import { savePanel } from '#domain/use-cases/save-panel.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { checkStored, readStored } from '#test/integrity/check.ts';
import { makePanel, makeVariable } from '#test/support/builders/builders.ts';
import {
	addBoard,
	contentsOf,
	damageReference,
	damageVariable,
	deleteRow,
	findAll,
	leaveBits,
	repairAll,
} from '#test/support/builders/damage.ts';
import { alarmRule, saveSmallSchema } from '#test/support/builders/small-schema.ts';

describe('findInconsistencies and rebuild', () => {
	let store: SchemaStore;
	let deps: WriteDeps;
	beforeEach(async () => {
		deps = await saveSmallSchema();
		store = deps.store;
	});

	const find = () => findAll(deps, 's');
	const repair = () => repairAll(deps, 's');
	const contentOf = async (kind: 'chart' | 'diagram' | 'alarm') =>
		(await store.list('s', kind)).map(({ board, version }) => ({ ...board.content, version }));
	const expectConsistent = async () => {
		checkStored(await readStored(store, 's'), []);
		expect(await find()).toEqual([]);
	};
	/** Expects exactly these inconsistencies, and that all of them are repaired. */
	const expectRepaired = async (...expected: readonly object[]) => {
		expect(await find()).toEqual(expected);
		expect(await repair()).toEqual(expected.map((inconsistency) => ({ inconsistency, left: null })));
	};

	test('finds nothing in a schema as it was saved, nor in one never written to, and changes nothing', async () => {
		const before = await contentsOf(store, 's');
		expect([await find(), await repair()]).toEqual([[], []]);
		expect(await contentsOf(store, 's')).toEqual(before);
		expect(await repairAll(deps, 'other')).toEqual([]);
		expect(await store.schemaMetadata('other')).toMatchObject({ revision: 0, variables: 0, lastId: 0 });
	});

	test('drops references to a missing variable as deleting it does: an alarm is deleted, the panel stays', async () => {
		await deleteRow(store, 's', { kind: 'variable', id: 1 });
		await expectRepaired(
			{ kind: 'missing_variable', board: 'chart#3', varId: 1 },
			{ kind: 'missing_variable', board: 'alarm#5', varId: 1 },
		);
		expect(await contentOf('chart')).toEqual([{ id: 3, title: 'C', series: [{ varId: 2 }], version: 2 }]);
		expect((await contentOf('alarm')).map(({ id }) => id)).toEqual([6]);
		expect((await store.get('s', [{ kind: 'panel' }]))[0]?.version).toBe(1);
		await expectConsistent();
	});

	test('leaves undefined bits of boards and of the panel to a person', async () => {
		await leaveBits(store, 's', 2, 0);
		const before = await contentsOf(store, 's');
		const undefinedBits = ['diagram#4', 'alarm#6', 'panel states.0'].map((place) => ({
			kind: 'undefined_bit',
			varId: 2,
			place,
			bit: 7,
		}));
		expect(await find()).toEqual(undefinedBits);
		expect(await repair()).toEqual(undefinedBits.map((inconsistency) => ({ inconsistency, left: 'needs_person' })));
		expect(await contentsOf(store, 's')).toEqual(before);
	});

	test('finds every bit of a variable that is no longer bit-compressed', async () => {
		await savePanel(deps, 's', makePanel(1));
		await damageVariable(store, 's', 2, () => ({ variable: makeVariable({ id: 2 }) }));
		expect(await find()).toEqual([
			{ kind: 'undefined_bit', varId: 2, place: 'diagram#4', bit: 0 },
			{ kind: 'undefined_bit', varId: 2, place: 'diagram#4', bit: 7 },
			{ kind: 'undefined_bit', varId: 2, place: 'alarm#6', bit: 7 },
		]);
	});

	test.each([
		['that lacks a board', 1, 'chart#3', null, { stored: null, actual: [] }],
		['with a board that does not refer to it', 1, 'alarm#6', [7], { stored: [7], actual: null }],
		['with a board that does not exist', 1, 'chart#99', [], { stored: [], actual: null }],
		['with a bit too many', 2, 'diagram#4', [0, 1, 7], { stored: [0, 1, 7], actual: [0, 7] }],
		['that lacks bits', 2, 'diagram#4', [], { stored: [], actual: [0, 7] }],
		['with bits in another order', 2, 'diagram#4', [7, 0], { stored: [7, 0], actual: [0, 7] }],
		['with the key of a variable', 1, 'variable#2', [], { stored: [], actual: null }],
		['with a malformed key', 1, 'chart#03', [], { stored: [], actual: null }],
		['with a key without a number', 1, 'chart#NaN', [], { stored: [], actual: null }],
		['with text that is no key', 1, '__proto__', [3], { stored: [3], actual: null }],
	])('corrects a referencedBy %s', async (_, varId, board, bits, sides) => {
		const before = await contentsOf(store, 's');
		await damageReference(store, 's', varId, board, bits);
		await expectRepaired({ kind: 'wrong_reference', varId, board, ...sides });
		const after = await contentsOf(store, 's');
		expect([after.charts, after.diagrams, after.alarms]).toEqual([before.charts, before.diagrams, before.alarms]);
		expect(after.variables.map(({ version }) => version)).toEqual([1, 1]);
		await expectConsistent();
	});

	test('finishes a deletion', async () => {
		await damageVariable(store, 's', 2, () => ({ deleting: true }));
		await expectRepaired({ kind: 'unfinished_deletion', varId: 2 });
		expect((await contentOf('alarm')).map(({ id }) => id)).toEqual([5]);
		expect(await contentOf('diagram')).toMatchObject([{ items: [] }]);
		expect(await store.schemaMetadata('s')).toMatchObject({ variables: 1 });
		await expectConsistent();
	});

	test('finishes a deletion by what the boards hold, not by a wrong referencedBy', async () => {
		await damageVariable(store, 's', 2, () => ({ deleting: true, referencedBy: new Map([['alarm#5', []]]) }));
		expect((await repair()).map(({ inconsistency: { kind }, left }) => [kind, left])).toEqual([
			['wrong_reference', null],
			['wrong_reference', null],
			['wrong_reference', null],
			['wrong_reference', null],
			['unfinished_deletion', null],
		]);
		expect((await contentOf('alarm')).map(({ id }) => id)).toEqual([5]);
		await expectConsistent();
	});

	test.each([0, 1, 3, 9000])('corrects a count of %i variables where there are 2', async (variables) => {
		const { revision } = await store.schemaMetadata('s');
		await store.correctMetadata('s', { expectedRevision: revision, variables, lastId: 0 });
		await expectRepaired({
			kind: 'wrong_counters',
			stored: { variables, lastId: 6, boards: {} },
			actual: { variables: 2, lastId: 6, boards: {} },
		});
		expect(await store.schemaMetadata('s')).toMatchObject({ revision, variables: 2 });
		await expectConsistent();
	});

	test('corrects wrong counts of boards, and takes a count that is not stored for no fault', async () => {
		const { revision, variables, boards } = await store.schemaMetadata('s');
		expect(boards).toEqual({ chart: 1, diagram: 1, alarm: 2, correction: null, report: null, entry: null });
		const wrong = { chart: 1, diagram: 3, alarm: 0, correction: 0, report: 0, entry: 0 };
		await store.correctMetadata('s', { expectedRevision: revision, variables, boards: wrong, lastId: 0 });
		await expectRepaired({
			kind: 'wrong_counters',
			stored: { variables: 2, lastId: 6, boards: { diagram: 3, alarm: 0 } },
			actual: { variables: 2, lastId: 6, boards: { diagram: 1, alarm: 2 } },
		});
		expect((await store.schemaMetadata('s')).boards).toEqual({ ...boards, correction: 0, report: 0, entry: 0 });
		const stored = await readStoredSchema(deps, 's');
		const uncounted = {
			...stored.metadata,
			boards: { chart: null, diagram: null, alarm: null, correction: null, report: null, entry: null },
		};
		expect(findInconsistencies({ ...stored, metadata: uncounted })).toEqual([]);
	});

	test.each([
		[6, 0],
		[7, 1],
	])('with a highest id of %i and a last id of 6, finds %i wrong counters', async (id, expected) => {
		if (id > 6) await addBoard(store, 's', boardOf('chart', { id, title: 'T', series: [] }));
		const counters = {
			kind: 'wrong_counters',
			stored: { variables: 2, lastId: 6, boards: {} },
			actual: { variables: 2, lastId: id, boards: {} },
		};
		await expectRepaired(...Array.from({ length: expected }, () => counters));
		expect(await store.nextId('s')).toBe(id + 1);
		await expectConsistent();
	});

	test('repairs all kinds at once', async () => {
		await deleteRow(store, 's', { kind: 'variable', id: 1 });
		await leaveBits(store, 's', 2, 0);
		await damageReference(store, 's', 2, 'chart#3', null);
		await damageReference(store, 's', 2, 'chart#99', [1]);
		await addBoard(store, 's', boardOf('alarm', parseBoard('alarm', { id: 50, name: 'Z', varId: 40, ...alarmRule })));
		await saveVariable(deps, 's', makeVariable());
		await damageVariable(store, 's', 7, () => ({ deleting: true }));
		const { revision } = await store.schemaMetadata('s');
		await store.correctMetadata('s', { expectedRevision: revision, variables: 10, lastId: 0 });
		const kinds = [
			'wrong_counters',
			'wrong_reference',
			'wrong_reference',
			'unfinished_deletion',
			'missing_variable',
			'missing_variable',
			'undefined_bit',
			'undefined_bit',
			'missing_variable',
			'undefined_bit',
		];
		expect((await find()).map(({ kind }) => kind)).toEqual(kinds);
		const repairs = await repair();
		expect(repairs.map(({ inconsistency }) => inconsistency.kind)).toEqual(kinds);
		for (const { inconsistency, left } of repairs)
			expect(left).toBe(inconsistency.kind === 'undefined_bit' ? 'needs_person' : null);
		expect(await store.schemaMetadata('s')).toMatchObject({ variables: 1, lastId: 50 });
		expect((await find()).map(({ kind }) => kind)).toEqual(['undefined_bit', 'undefined_bit', 'undefined_bit']);
	});
});
