import { beforeEach, describe, expect, test } from 'vitest';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import { checkSchema, type Report } from '#domain/integrity/repair.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import type { WriteDeps } from '#domain/transaction/run-transaction.ts';
import { savePanel } from '#domain/use-cases/save-panel.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { checkStored, readStored } from '#test/integrity/check.ts';
import { makePanel, makeVariable } from '#test/support/builders/builders.ts';
import { addBoard, contentsOf, damageUser, damageVariable, drop, leaveBits } from '#test/support/builders/damage.ts';
import { alarmRule, saveSmallSchema } from '#test/support/builders/small-schema.ts';

describe('findings and their mends', () => {
	let store: SchemaStore;
	let deps: WriteDeps;
	beforeEach(async () => {
		deps = await saveSmallSchema();
		store = deps.store;
	});

	const check = async (mend = false): Promise<readonly Report[]> => {
		const reports: Report[] = [];
		await checkSchema(deps, 's', { mend, onReport: (report) => reports.push(report) });
		return reports;
	};
	const found = async () => (await check()).map(({ outcome, finding }) => ({ outcome, ...finding }));
	const mended = async () => (await check(true)).map((report) => (report.outcome === 'mended' ? report.mend : report));
	const contentOf = async (kind: 'chart' | 'diagram' | 'alarm') =>
		(await store.list('s', kind)).map(({ board, version }) => ({ ...board.content, version }));
	const expectWhole = async () => {
		checkStored(await readStored(store, 's'), []);
		expect(await check()).toEqual([]);
	};

	test('finds nothing in a schema as it was saved, nor in one never written to, and changes nothing', async () => {
		const before = await contentsOf(store, 's');
		expect([await check(), await check(true)]).toEqual([[], []]);
		expect(await contentsOf(store, 's')).toEqual(before);
		await checkSchema(deps, 'other', { mend: true, onReport: () => expect.unreachable() });
		expect(await store.schemaMetadata('other')).toEqual({ revision: 0, variables: 0, lastId: 0 });
	});

	test('a missing variable: boards lose it as deleting it would have, an alarm goes, the panel stays', async () => {
		await drop(store, 's', { kind: 'variable', id: 1 });
		expect(await found()).toEqual([
			{ outcome: 'found', kind: 'missing_variable', board: { kind: 'chart', id: 3 }, varId: 1 },
			{ outcome: 'found', kind: 'missing_variable', board: { kind: 'alarm', id: 5 }, varId: 1 },
		]);
		expect(await mended()).toEqual([{ how: 'items_dropped', items: 2 }, { how: 'board_deleted' }]);
		expect(await contentOf('chart')).toEqual([{ id: 3, title: 'C', series: [{ varId: 2 }], version: 2 }]);
		expect((await contentOf('alarm')).map(({ id }) => id)).toEqual([6]);
		expect((await store.get('s', [{ kind: 'panel' }]))[0]?.version).toBe(1);
		await expectWhole();
	});

	test('a bit that is not defined: the items that pick it go, an alarm goes, and the variable knows', async () => {
		await leaveBits(store, 's', 2, 0);
		await savePanel(deps, 's', makePanel(1));
		expect(await found()).toEqual([
			{ outcome: 'found', kind: 'undefined_bit', board: { kind: 'diagram', id: 4 }, varId: 2, bit: 7 },
			{ outcome: 'found', kind: 'undefined_bit', board: { kind: 'alarm', id: 6 }, varId: 2, bit: 7 },
		]);
		expect(await mended()).toEqual([{ how: 'items_dropped', items: 2 }, { how: 'board_deleted' }]);
		expect(await contentOf('diagram')).toEqual([{ id: 4, title: 'D', items: [{ varId: 2, bit: 0, x: 0, y: 1 }], version: 2 }]);
		const [row] = await store.get('s', [{ kind: 'variable', id: 2 }]);
		expect(row?.referencedBy).toEqual(
			new Map([
				['chart#3', []],
				['diagram#4', [0]],
			]),
		);
		await expectWhole();
	});

	test('bits of a variable that is not bit-compressed any more', async () => {
		await savePanel(deps, 's', makePanel(1));
		await damageVariable(store, 's', 2, () => ({ variable: makeVariable({ id: 2 }) }));
		expect(await found()).toHaveLength(3);
		expect(await mended()).toEqual([
			{ how: 'items_dropped', items: 1 },
			{ how: 'items_dropped', items: 2 },
			{ how: 'board_deleted' },
		]);
		expect(await contentOf('diagram')).toEqual([{ id: 4, title: 'D', items: [], version: 3 }]);
		await expectWhole();
	});

	test('a bit that only the panel picks is told, and left for a person', async () => {
		await leaveBits(store, 's', 2, 0, 1);
		for (const kind of ['diagram', 'alarm'] as const)
			for (const { id } of await contentOf(kind)) await drop(store, 's', { kind, id });
		await check(true);
		const finding = { kind: 'undefined_panel_bit', path: 'states.0', varId: 2, bit: 7 };
		const before = await contentsOf(store, 's');
		expect(await check()).toEqual([{ outcome: 'found', finding }]);
		expect(await check(true)).toEqual([{ outcome: 'left', finding, why: 'needs_person' }]);
		expect(await contentsOf(store, 's')).toEqual(before);
	});

	test.each([
		['a board that it does not know of', 1, 'chart#3', null, { stored: null, actual: [] }],
		['a board that does not use it', 1, 'alarm#6', [7], { stored: [7], actual: null }],
		['a board that is not there', 1, 'chart#99', [], { stored: [], actual: null }],
		['bits that are not picked', 2, 'diagram#4', [0, 1, 7], { stored: [0, 1, 7], actual: [0, 7] }],
		['bits it does not know of', 2, 'diagram#4', [], { stored: [], actual: [0, 7] }],
		['bits in no order', 2, 'diagram#4', [7, 0], { stored: [7, 0], actual: [0, 7] }],
		['a key of no board', 1, 'variable#2', [], { stored: [], actual: null }],
		['a key that no board has', 1, 'chart#03', [], { stored: [], actual: null }],
		['text that is no key', 1, '__proto__', [3], { stored: [3], actual: null }],
	])('who uses a variable: %s', async (_, varId, board, bits, sides) => {
		const before = await contentsOf(store, 's');
		await damageUser(store, 's', varId, board, bits);
		expect(await found()).toEqual([{ outcome: 'found', kind: 'wrong_user', varId, board, ...sides }]);
		expect(await mended()).toEqual([{ how: 'user_corrected' }]);
		const after = await contentsOf(store, 's');
		expect([after.charts, after.diagrams, after.alarms]).toEqual([before.charts, before.diagrams, before.alarms]);
		expect(after.variables.map(({ version }) => version)).toEqual([1, 1]);
		await expectWhole();
	});

	test('a deletion that was begun is finished', async () => {
		await damageVariable(store, 's', 2, () => ({ deleting: true }));
		expect(await found()).toEqual([{ outcome: 'found', kind: 'left_going', varId: 2 }]);
		expect(await mended()).toEqual([{ how: 'deletion_finished' }]);
		expect((await contentOf('alarm')).map(({ id }) => id)).toEqual([5]);
		expect(await contentOf('diagram')).toMatchObject([{ items: [] }]);
		expect(await store.schemaMetadata('s')).toMatchObject({ variables: 1 });
		await expectWhole();
	});

	test('a deletion is finished by what boards say, not by what the variable believes: no other alarm goes with it', async () => {
		await damageVariable(store, 's', 2, () => ({ deleting: true, referencedBy: new Map([['alarm#5', []]]) }));
		expect((await check(true)).map(({ finding: { kind } }) => kind)).toEqual([
			'wrong_user',
			'wrong_user',
			'wrong_user',
			'wrong_user',
			'left_going',
		]);
		expect((await contentOf('alarm')).map(({ id }) => id)).toEqual([5]);
		await expectWhole();
	});

	test.each([0, 1, 3, 9000])('a count of %i variables where there are 2', async (variables) => {
		const { revision } = await store.schemaMetadata('s');
		await store.correctMetadata('s', { expectedRevision: revision, variables, lastId: 0 });
		expect(await found()).toEqual([{ outcome: 'found', kind: 'wrong_count', stored: variables, actual: 2 }]);
		expect(await mended()).toEqual([{ how: 'count_corrected' }]);
		expect(await store.schemaMetadata('s')).toMatchObject({ revision, variables: 2 });
		await expectWhole();
	});

	test.each([
		[6, 0],
		[7, 1],
	])('a highest id of %i gives %i findings of the counter, which is at 6', async (id, findings) => {
		if (id > 6) await addBoard(store, 's', boardOf('chart', { id, title: 'T', series: [] }));
		const finding = { outcome: 'found', kind: 'counter_behind', lastId: 6, highest: id };
		expect(await found()).toEqual(Array.from({ length: findings }, () => finding));
		await check(true);
		expect(await store.nextId('s')).toBe(id + 1);
		await expectWhole();
	});

	test('everything at once, and checking changes nothing', async () => {
		await drop(store, 's', { kind: 'variable', id: 1 });
		await leaveBits(store, 's', 2, 0);
		await damageUser(store, 's', 2, 'chart#3', null);
		await damageUser(store, 's', 2, 'chart#99', [1]);
		await addBoard(store, 's', boardOf('alarm', parseBoard('alarm', { id: 50, name: 'Z', varId: 40, ...alarmRule })));
		await saveVariable(deps, 's', makeVariable());
		await damageVariable(store, 's', 7, () => ({ deleting: true }));
		const { revision } = await store.schemaMetadata('s');
		await store.correctMetadata('s', { expectedRevision: revision, variables: 10, lastId: 0 });
		const before = await contentsOf(store, 's');
		const kinds = [
			'counter_behind',
			'wrong_user',
			'wrong_user',
			'left_going',
			'missing_variable',
			'undefined_bit',
			'missing_variable',
			'undefined_bit',
			'missing_variable',
			'undefined_panel_bit',
			'wrong_count',
		];
		const sorted = (reports: readonly Report[]) => reports.map(({ finding }) => finding.kind).sort();
		expect(sorted(await check())).toEqual([...kinds].sort());
		expect(await contentsOf(store, 's')).toEqual(before);
		const reports = await check(true);
		expect(sorted(reports)).toEqual([...kinds].sort());
		expect(reports.filter(({ outcome }) => outcome !== 'mended')).toMatchObject([{ outcome: 'left', why: 'needs_person' }]);
		expect(await store.schemaMetadata('s')).toMatchObject({ variables: 1, lastId: 50 });
		await savePanel(deps, 's', makePanel(2));
		await expectWhole();
	});
});
