import { beforeEach, describe, expect, test } from 'vitest';
import { boardOf } from '#domain/board/board.ts';
import { checkSchema, type Report } from '#domain/integrity/repair.ts';
import type { CommitOutcome, Row, RowKey, RowKinds, SchemaStore } from '#domain/ports/schema-store.ts';
import type { WriteDeps } from '#domain/transaction/run-transaction.ts';
import { deleteVariable } from '#domain/use-cases/delete-variable.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { checkStored, readStored } from '#test/integrity/check.ts';
import { makeVariable } from '#test/support/builders/builders.ts';
import { contentsOf, damageUser, damageVariable, drop } from '#test/support/builders/damage.ts';
import { saveSmallSchema } from '#test/support/builders/small-schema.ts';

let deps: WriteDeps;
let store: SchemaStore;
beforeEach(async () => {
	deps = await saveSmallSchema();
	store = deps.store;
});

/** Runs a check over the store with some of its methods replaced. */
const check = async (mend: boolean, changes: Partial<SchemaStore> = {}): Promise<readonly Report[]> => {
	const reports: Report[] = [];
	const over = { ...deps, store: { ...store, ...changes } };
	await checkSchema(over, 's', { mend, onReport: (report) => reports.push(report) });
	return reports;
};

const expectWhole = async () => {
	checkStored(await readStored(store, 's'), []);
	expect(await check(false)).toEqual([]);
};

describe('rows read at different moments', () => {
	/** Neither a check nor a repair finds anything, and nothing changes. */
	const expectNothing = async (changes: () => Partial<SchemaStore>) => {
		const before = await contentsOf(store, 's');
		expect([await check(false, changes()), await check(true, changes())]).toEqual([[], []]);
		expect(await contentsOf(store, 's')).toEqual(before);
	};

	/** A reading of boards that shows charts as they were. */
	const listing = (charts: readonly RowKinds['chart'][]): SchemaStore['list'] =>
		(async (schema: string, kind: 'chart') => (kind === 'chart' ? charts : store.list(schema, kind))) as SchemaStore['list'];
	/** A first reading by keys that shows them so too. */
	const getting = (charts: readonly RowKinds['chart'][]): SchemaStore['get'] => {
		let readings = 0;
		const get = async (schema: string, keys: readonly RowKey[]): Promise<readonly (Row | null)[]> => {
			const rows = await store.get(schema, keys);
			if (keys.some(({ kind }) => kind === 'chart')) readings += 1;
			return rows.map((row) => (readings === 1 && row?.kind === 'chart' ? (charts[0] ?? null) : row));
		};
		return get as SchemaStore['get'];
	};

	test('a board of before a deletion is not taken for damage', async () => {
		const charts = await store.list('s', 'chart');
		await deleteVariable(deps, 's', 1);
		await expectNothing(() => ({ list: listing(charts) }));
	});

	test('nor where it is still read so when the finding is judged: the commit tells', async () => {
		const charts = await store.list('s', 'chart');
		await deleteVariable(deps, 's', 1);
		await expectNothing(() => ({ list: listing(charts), get: getting(charts) }));
	});

	test('a variable that was not there yet is not taken for missing', async () => {
		await expectNothing(() => {
			let snapshots = 0;
			return {
				snapshot: async (schema, ids) => {
					const { revision, variables } = await store.snapshot(schema, ids);
					if (ids === 'all') snapshots += 1;
					return { revision, variables: new Map([...variables].filter(([id]) => snapshots > 1 || id !== 1)) };
				},
			};
		});
	});

	test('a count is not taken for right by the variables of another revision', async () => {
		const { revision } = await store.schemaMetadata('s');
		await store.correctMetadata('s', { expectedRevision: revision, variables: 3, lastId: 0 });
		let snapshots = 0;
		const snapshot: SchemaStore['snapshot'] = async (schema, ids) => {
			if (ids === 'all') snapshots += 1;
			if (ids === 'all' && snapshots === 2) await saveVariable(deps, 's', makeVariable());
			return store.snapshot(schema, ids);
		};
		expect(await check(true, { snapshot })).toMatchObject([{ outcome: 'mended', finding: { kind: 'wrong_count' } }]);
		expect(await store.schemaMetadata('s')).toMatchObject({ variables: 3 });
	});

	test('everything is read again where a write came between', async () => {
		let lists = 0;
		const list = (async (schema: string, kind: 'chart') => {
			lists += 1;
			if (lists === 2) await saveVariable(deps, 's', makeVariable());
			return store.list(schema, kind);
		}) as SchemaStore['list'];
		expect(await check(false, { list })).toEqual([]);
		expect(lists).toBe(6);
	});
});

describe('mends that meet writes', () => {
	/** `strike` happens before each commit, and may answer in its stead. */
	const struck = (strike: () => Promise<CommitOutcome | undefined>): Partial<SchemaStore> => ({
		commit: async (...commit) => (await strike()) ?? store.commit(...commit),
	});

	test('a mend that meets a write decides anew', async () => {
		await drop(store, 's', { kind: 'variable', id: 1 });
		let strikes = 0;
		const over = struck(async () => {
			strikes += 1;
			if (strikes === 1) await saveBoard(deps, 's', boardOf('chart', { id: 3, title: 'Renamed', series: [{ varId: 2 }] }));
			return undefined;
		});
		expect((await check(true, over)).map(({ finding }) => finding)).toMatchObject([{ board: { kind: 'alarm', id: 5 } }]);
		expect(await store.list('s', 'chart')).toMatchObject([{ board: { content: { title: 'Renamed' } }, version: 2 }]);
		await expectWhole();
	});

	test('where writes keep coming between, a finding is left, and the others are mended', async () => {
		await drop(store, 's', { kind: 'variable', id: 1 });
		let strikes = 0;
		const over = struck(async () => {
			strikes += 1;
			return strikes <= 12 ? 'conflict' : undefined;
		});
		expect(await check(true, over)).toMatchObject([
			{ outcome: 'left', why: 'write_contention', finding: { board: { kind: 'chart' } } },
			{ outcome: 'mended', finding: { board: { kind: 'alarm' } } },
		]);
		await check(true);
		await expectWhole();
	});

	test('a deletion is not finished while what uses its variable is left', async () => {
		await damageVariable(store, 's', 2, () => ({ deleting: true, referencedBy: new Map([['alarm#5', []]]) }));
		const reports = await check(
			true,
			struck(async () => 'conflict'),
		);
		expect(reports.map((report) => report.outcome === 'left' && report.why)).toEqual([
			...Array.from({ length: 4 }, () => 'write_contention'),
			'users_left',
		]);
		expect(await store.list('s', 'alarm')).toHaveLength(2);
	});

	test('a row that would grow too large is left', async () => {
		const bits = [0, 1, 2, 3, 4, 5, 6, 7];
		const users = Array.from({ length: 12_000 }, (_, index) => [`diagram#${1_000_000 + index}`, bits] as const);
		await damageUser(store, 's', 1, 'chart#3', null);
		const get = (async (schema: string, keys: readonly RowKey[]) => {
			const rows: readonly (Row | null)[] = await store.get(schema, keys);
			return rows.map((row) => (row?.kind === 'variable' ? { ...row, referencedBy: new Map(users) } : row));
		}) as SchemaStore['get'];
		expect(await check(true, { get })).toMatchObject([{ outcome: 'left', why: 'too_large' }]);
	});
});
