import { beforeEach, describe, expect, test } from 'vitest';
import { boardOf } from '#domain/board/board.ts';
import { boardKinds } from '#domain/board/board-kinds.ts';
import { findInconsistencies } from '#domain/integrity/find-inconsistencies.ts';
import { readStoredSchema } from '#domain/integrity/stored-schema.ts';
import type { CommitOutcome, Row, RowKey, SchemaStore } from '#domain/ports/schema-store.ts';
import type { WriteDeps } from '#domain/transaction/run-transaction.ts';
import { deleteVariable } from '#domain/use-cases/delete-variable.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { checkStored, readStored } from '#test/integrity/check.ts';
import { makeVariable } from '#test/support/builders/builders.ts';
import {
	contentsOf,
	damageReference,
	damageVariable,
	deleteRow,
	findAll,
	repairAll,
	repairThese,
} from '#test/support/builders/damage.ts';
import { saveSmallSchema } from '#test/support/builders/small-schema.ts';

let deps: WriteDeps;
let store: SchemaStore;
beforeEach(async () => {
	deps = await saveSmallSchema();
	store = deps.store;
});

/** The store with some of its methods replaced. */
const withMethods = (methods: Partial<SchemaStore>): WriteDeps => ({ ...deps, store: { ...store, ...methods } });

const expectConsistent = async () => {
	checkStored(await readStored(store, 's'), []);
	expect(await findAll(deps, 's')).toEqual([]);
};

describe('readStoredSchema, when writes land in between', () => {
	/** Runs `write` after the listing of that number. */
	const writeAfterList = (
		number: number,
		write: () => Promise<unknown>,
	): { methods: Partial<SchemaStore>; lists: () => number } => {
		let lists = 0;
		const list = (async (schema: string, kind: 'chart') => {
			const rows = await store.list(schema, kind);
			lists += 1;
			if (lists === number) await write();
			return rows;
		}) as SchemaStore['list'];
		return { methods: { list }, lists: () => lists };
	};

	test('reads everything again', async () => {
		const { methods, lists } = writeAfterList(1, () => saveVariable(deps, 's', makeVariable()));
		expect((await readStoredSchema(withMethods(methods), 's')).variables).toHaveLength(3);
		expect(lists()).toBe(2 * boardKinds.length);
	});

	test('does not report a board that was read before a deletion as an inconsistency', async () => {
		const { methods } = writeAfterList(1, () => deleteVariable(deps, 's', 1));
		expect(await findAll(withMethods(methods), 's')).toEqual([]);
	});

	test('gives up when the rows changed during every attempt', async () => {
		const snapshot: SchemaStore['snapshot'] = async (schema, ids) => {
			if (ids === 'all') await saveVariable(deps, 's', makeVariable());
			return store.snapshot(schema, ids);
		};
		await expect(readStoredSchema(withMethods({ snapshot }), 's')).rejects.toMatchObject({ code: 'write_contention' });
	});
});

describe('rebuild, when writes land in between', () => {
	/** `beforeCommit` runs before each commit and may return the commit's outcome instead of it. */
	const beforeCommits = (beforeCommit: () => Promise<CommitOutcome | undefined>): WriteDeps =>
		withMethods({ commit: async (...commit) => (await beforeCommit()) ?? store.commit(...commit) });

	test('changes nothing when an inconsistency is gone, even if a first reading still shows it', async () => {
		const charts = await store.list('s', 'chart');
		await deleteVariable(deps, 's', 1);
		const before = await contentsOf(store, 's');
		const stale = findInconsistencies({ ...(await readStoredSchema(deps, 's')), boards: charts });
		expect(stale).toContainEqual({ kind: 'missing_variable', board: 'chart#3', varId: 1 });
		let readings = 0;
		const get = (async (schema: string, keys: readonly RowKey[]) => {
			const rows: readonly (Row | null)[] = await store.get(schema, keys);
			if (keys.some(({ kind }) => kind === 'chart')) readings += 1;
			return rows.map((row) => (readings === 1 && row?.kind === 'chart' ? (charts[0] ?? null) : row));
		}) as SchemaStore['get'];
		expect(await repairThese(withMethods({ get }), 's', stale)).toEqual([]);
		expect(await contentsOf(store, 's')).toEqual(before);
	});

	test('does not report a variable that was created meanwhile as missing', async () => {
		const stored = await readStoredSchema(deps, 's');
		const stale = findInconsistencies({ ...stored, variables: stored.variables.slice(1) });
		expect(stale.map(({ kind }) => kind)).toEqual(['wrong_counters', 'missing_variable', 'missing_variable']);
		const before = await contentsOf(store, 's');
		expect(await repairThese(deps, 's', stale)).toEqual([]);
		expect(await contentsOf(store, 's')).toEqual(before);
	});

	test('counts the variables again when one is saved between the snapshot and the correction', async () => {
		const { revision } = await store.schemaMetadata('s');
		await store.correctMetadata('s', { expectedRevision: revision, variables: 3, lastId: 0 });
		let snapshots = 0;
		const snapshot: SchemaStore['snapshot'] = async (schema, ids) => {
			const result = await store.snapshot(schema, ids);
			if (ids === 'all') snapshots += 1;
			if (ids === 'all' && snapshots === 2) await saveVariable(deps, 's', makeVariable());
			return result;
		};
		expect(await repairAll(withMethods({ snapshot }), 's')).toMatchObject([
			{ left: null, inconsistency: { kind: 'wrong_counters' } },
		]);
		expect(snapshots).toBe(3);
		expect(await store.schemaMetadata('s')).toMatchObject({ variables: 3 });
	});

	test('decides again when another write changed the rows of a repair', async () => {
		await deleteRow(store, 's', { kind: 'variable', id: 1 });
		let commits = 0;
		const over = beforeCommits(async () => {
			commits += 1;
			if (commits === 1) await saveBoard(deps, 's', boardOf('chart', { id: 3, title: 'Renamed', series: [{ varId: 2 }] }));
			return undefined;
		});
		expect((await repairAll(over, 's')).map(({ inconsistency }) => inconsistency)).toMatchObject([{ board: 'alarm#5' }]);
		expect(await store.list('s', 'chart')).toMatchObject([{ board: { content: { title: 'Renamed' } }, version: 2 }]);
		await expectConsistent();
	});

	test('leaves an inconsistency when the rows changed during every attempt, and repairs the others', async () => {
		await deleteRow(store, 's', { kind: 'variable', id: 1 });
		let commits = 0;
		const over = beforeCommits(async () => {
			commits += 1;
			return commits <= 12 ? 'conflict' : undefined;
		});
		expect(await repairAll(over, 's')).toMatchObject([
			{ left: 'write_contention', inconsistency: { board: 'chart#3' } },
			{ left: null, inconsistency: { board: 'alarm#5' } },
		]);
		await repairAll(deps, 's');
		await expectConsistent();
	});

	test('does not finish a deletion while a reference to its variable is left', async () => {
		await damageVariable(store, 's', 2, () => ({ deleting: true, referencedBy: new Map([['alarm#5', []]]) }));
		const repairs = await repairAll(
			beforeCommits(async () => 'conflict'),
			's',
		);
		expect(repairs.map(({ left }) => left)).toEqual([
			...Array.from({ length: 4 }, () => 'write_contention'),
			'wrong_reference_left',
		]);
		expect(await store.list('s', 'alarm')).toHaveLength(2);
	});

	test('leaves a row that would grow too large', async () => {
		const bits = [0, 1, 2, 3, 4, 5, 6, 7];
		const users = Array.from({ length: 12_000 }, (_, index) => [`diagram#${1_000_000 + index}`, bits] as const);
		await damageReference(store, 's', 1, 'chart#3', null);
		const get = (async (schema: string, keys: readonly RowKey[]) => {
			const rows: readonly (Row | null)[] = await store.get(schema, keys);
			return rows.map((row) => (row?.kind === 'variable' ? { ...row, referencedBy: new Map(users) } : row));
		}) as SchemaStore['get'];
		expect(await repairAll(withMethods({ get }), 's')).toMatchObject([{ left: 'too_large' }]);
	});
});
