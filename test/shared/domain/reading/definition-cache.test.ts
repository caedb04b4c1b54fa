import type { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import { serializeRow } from '#adapters/stored-row.ts';
import { minListedRevisions, type SchemaStore } from '#domain/ports/schema-store.ts';
import { createDefinitionCache, type DefinitionCache } from '#domain/reading/definition-cache.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { makeBoardRow, makeQuery, makeVariable, makeVariableRow } from '#test/support/builders/builders.ts';
import { collectGarbage } from '#test/support/collect-garbage.ts';

/** The bytes of the heap that are in use after a garbage collection. */
const retainedHeapBytes = (): number => {
	collectGarbage();
	return process.memoryUsage().heapUsed;
};

/** A schema with one commit. */
const atOne = { revision: 1, listed: 1, changes: [[]], marks: [1] };

describe('createDefinitionCache', () => {
	let database: DatabaseSync;
	let store: SchemaStore;
	let snapshots: (readonly number[] | 'all')[];
	let definitions: DefinitionCache;

	/** Creates a cache whose snapshots are recorded. `beforeSnapshot` runs before each of them. */
	const openCache = (beforeSnapshot: () => Promise<void> = async () => undefined): DefinitionCache =>
		createDefinitionCache({
			...store,
			snapshot: async (schema, ids) => {
				snapshots.push(ids);
				await beforeSnapshot();
				return store.snapshot(schema, ids);
			},
		});

	const put = async (id: number, version: number, unit = 'L/s') => {
		const row = makeVariableRow(id, { version, rowVersion: version, variable: makeVariable({ id, unit }) });
		expect(
			await store.commit('s', [{ key: { kind: 'variable', id }, expected: version === 1 ? null : version - 1, put: row }]),
		).toBe('committed');
	};
	const unitsOf = async (ids: readonly number[] | 'all', from = definitions) =>
		[...(await from.get('s', ids))].map(([id, { variable }]) => `${id} ${variable.unit}`).sort();

	beforeEach(async () => {
		database = openDatabase(':memory:');
		store = createSqliteSchemaStore(database);
		snapshots = [];
		definitions = openCache();
		for (const id of [1, 2, 3]) await put(id, 1);
	});

	test('reads each id once a revision, unknown ids too', async () => {
		expect(await unitsOf([1, 2])).toEqual(['1 L/s', '2 L/s']);
		expect(await unitsOf([2, 1, 9])).toEqual(['1 L/s', '2 L/s']);
		expect(await unitsOf([9, 2, 3])).toEqual(['2 L/s', '3 L/s']);
		expect(await unitsOf([1, 2, 3, 9])).toEqual(['1 L/s', '2 L/s', '3 L/s']);
		expect(snapshots).toEqual([[1, 2], [9], [3]]);
	});

	test('reads nothing more after reading all variables', async () => {
		expect(await unitsOf('all')).toHaveLength(3);
		expect(await unitsOf([1, 77])).toEqual(['1 L/s']);
		expect(await unitsOf('all')).toHaveLength(3);
		expect(snapshots).toEqual(['all']);
	});

	test('returns no definition that is older than a completed write', async () => {
		await unitsOf('all');
		await put(2, 2, 'm3/h');
		expect(await unitsOf([2])).toEqual(['2 m3/h']);
		expect(await unitsOf('all')).toEqual(['1 L/s', '2 m3/h', '3 L/s']);
		await store.commit('s', [{ key: { kind: 'variable', id: 2 }, expected: 2, put: null }]);
		expect(await unitsOf([1, 2])).toEqual(['1 L/s']);
	});

	test('returns one revision when a write lands between two reads', async () => {
		let write = async (): Promise<void> => undefined;
		const racing = openCache(() => write());
		await unitsOf([1], racing);
		write = async () => {
			write = async () => undefined;
			await put(1, 2, 'new');
			await put(2, 2, 'new');
		};
		expect(await unitsOf([1, 2], racing)).toEqual(['1 new', '2 new']);
	});

	test('shows nothing that it read of a schema before that was restored and written anew', async () => {
		const made = (unit: string, marks: readonly number[]) => {
			const [revision, changes] = [marks.length, marks.map(() => [1])];
			const variables = new Map([1, 2].map((id) => [id, makeVariableRow(id, { variable: makeVariable({ id, unit }) })]));
			return { revision, listed: revision, changes, marks, variables };
		};
		let stored = made('bar', [1, 2, 3]);
		const at = createDefinitionCache({ ...store, revision: async () => stored, snapshot: async () => stored });
		expect(await unitsOf([1, 2], at)).toEqual(['1 bar', '2 bar']);
		for (const [unit, marks] of [
			['psi', [1, 2]],
			['Pa', [1, 2, 4]],
			['kPa', [1, 5, 6, 7]],
		] as const) {
			stored = made(unit, marks);
			expect(await unitsOf([1], at)).toEqual([`1 ${unit}`]);
			expect(await unitsOf([1, 2], at)).toEqual([`1 ${unit}`, `2 ${unit}`]);
		}
	});

	test('remembers at most 10,000 absent ids, the newest ones', async () => {
		const upTo = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);
		await unitsOf(upTo(100, 9000));
		await unitsOf(upTo(9100, 1000));
		await unitsOf([100, 10_099, 1]);
		expect(snapshots.splice(0).at(-1)).toEqual([1]);
		await unitsOf([10_100]);
		await unitsOf([101, 10_100]);
		expect(snapshots.splice(0)).toEqual([[10_100]]);
		await unitsOf([100]);
		expect(snapshots.splice(0)).toEqual([[100]]);
		await unitsOf(upTo(20_000, 10_001));
		snapshots.splice(0);
		await unitsOf(upTo(20_001, 10_000));
		expect(snapshots).toEqual([]);
	});

	test('finds a variable whose id other calls forget and pass over while the call runs', async () => {
		const held: PromiseWithResolvers<void>[] = [];
		/** Holds the snapshots of some ids: of many after they were taken, of none before. */
		const racing = createDefinitionCache({
			...store,
			snapshot: async (schema, ids) => {
				const isHeld = held.length < 2 && (ids.length > 1 || (held.length === 1 && ids.length === 0));
				if (!isHeld) return store.snapshot(schema, ids);
				const hold = Promise.withResolvers<void>();
				held.push(hold);
				const early = ids.length > 1 ? await store.snapshot(schema, ids) : undefined;
				await hold.promise;
				return early ?? store.snapshot(schema, ids);
			},
		});
		expect(await unitsOf([100], racing)).toEqual([]);
		const forgetting = unitsOf(
			Array.from({ length: 10_001 }, (_, index) => 20_000 + index),
			racing,
		);
		await expect.poll(() => held.length).toBe(1);
		await put(100, 1);
		const call = unitsOf([100], racing);
		await expect.poll(() => held.length).toBe(2);
		held[0]?.resolve();
		await forgetting;
		await unitsOf([1], racing);
		held[1]?.resolve();
		expect(await call).toEqual(['100 L/s']);
	});

	test('does not grow with 2.5 million unknown ids', { timeout: 60_000 }, async () => {
		const empty: SchemaStore = {
			...store,
			revision: async () => atOne,
			snapshot: async () => ({ ...atOne, variables: new Map() }),
		};
		const cache = createDefinitionCache(empty);
		const before = retainedHeapBytes();
		for (let first = 1; first <= 2_500_000; first += 500)
			await cache.get(
				's',
				Array.from({ length: 500 }, (_, index) => first + index),
			);
		expect(retainedHeapBytes() - before).toBeLessThan(60_000_000);
		// The cache is still in use, so its entries are counted.
		expect((await cache.get('s', [1])).size).toBe(0);
	});

	test('keeps at most 50 MB of definitions, of the schemas used last', async () => {
		const row = makeVariableRow(1, {
			variable: makeVariable({ varsTsdb: { Flow: makeQuery({ calc_topic: 'x'.repeat(990) }) } }),
		});
		const held = new Map([
			['a', 1],
			['b', 1],
			['huge', 32_000],
			...Array.from({ length: 32 }, (_, index): [string, number] => [`schema ${index}`, 1000]),
		]);
		let reads = 0;
		const cache = createDefinitionCache({
			...store,
			revision: async () => atOne,
			snapshot: async (schema) => {
				reads += 1;
				const variables = new Map(Array.from({ length: held.get(schema) ?? 0 }, (_, id) => [id, row]));
				return { ...atOne, variables };
			},
		});
		const readsOf = async (schema: string): Promise<number> => {
			const before = reads;
			expect((await cache.get(schema, 'all')).size).toBe(held.get(schema));
			return reads - before;
		};
		expect([await readsOf('a'), await readsOf('a')]).toEqual([1, 0]);
		expect([await readsOf('huge'), await readsOf('huge')]).toEqual([1, 1]);
		expect(await readsOf('a')).toBe(0);
		await readsOf('b');
		for (let each = 0; each < 32; each += 1) {
			await readsOf(`schema ${each}`);
			expect(await readsOf('a')).toBe(0);
		}
		expect([await readsOf('schema 31'), await readsOf('b'), await readsOf('schema 0')]).toEqual([0, 1, 1]);
	});

	const addChart = async (id: number) => {
		const [row] = await store.get('s', [{ kind: 'variable', id: 1 }]);
		if (row == null) throw new Error('Variable 1 does not exist.');
		const referencing = { ...row, rowVersion: row.rowVersion + 1, referencedBy: new Map([[`chart#${id}`, []]]) };
		expect(
			await store.commit('s', [
				{ key: { kind: 'chart', id }, expected: null, put: makeBoardRow('chart', id) },
				{ key: { kind: 'variable', id: 1 }, expected: row.rowVersion, put: referencing, keepsDefinition: true },
			]),
		).toBe('committed');
	};

	test('reads again only what changed since the cached revision, and what was asked for in addition', async () => {
		await put(4, 1);
		await unitsOf([1, 2, 9]);
		snapshots.splice(0);
		await put(2, 2, 'new');
		await put(4, 2, 'new');
		expect(await unitsOf([1, 2])).toEqual(['1 L/s', '2 new']);
		expect(snapshots.splice(0)).toEqual([[], [2]]);
		await put(9, 1, 'new');
		expect(await unitsOf([1, 3, 9])).toEqual(['1 L/s', '3 L/s', '9 new']);
		expect(snapshots.splice(0)).toEqual([[3], [3, 9]]);
		await unitsOf('all');
		await put(10, 1);
		await store.commit('s', [{ key: { kind: 'variable', id: 3 }, expected: 1, put: null }]);
		snapshots.splice(0);
		expect(await unitsOf('all')).toEqual(['1 L/s', '10 L/s', '2 new', '4 new', '9 new']);
		expect(snapshots.splice(0)).toEqual([[], [10, 3]]);
		expect(await unitsOf('all')).toHaveLength(5);
		expect(snapshots).toEqual([]);
	});

	test('reads no definition again after a board was saved', async () => {
		await unitsOf('all');
		snapshots.splice(0);
		await addChart(20);
		expect(await unitsOf('all')).toEqual(['1 L/s', '2 L/s', '3 L/s']);
		expect(snapshots.splice(0)).toEqual([[]]);
		expect(await unitsOf([1])).toEqual(['1 L/s']);
		expect(snapshots).toEqual([]);
	});

	test.each([
		[minListedRevisions - 1, [[], [1]]],
		[minListedRevisions, [[1, 2]]],
	])('after %i commits, reads %j', async (commits, expected) => {
		await unitsOf([1, 2]);
		snapshots.splice(0);
		for (let version = 2; version <= commits + 1; version += 1) await put(1, version, `unit ${version}`);
		expect(await unitsOf([1, 2])).toEqual([`1 unit ${commits + 1}`, '2 L/s']);
		expect(snapshots).toEqual(expected);
	});

	/** Changes a variable as a function of the first release does: it advances the revision and lists nothing. */
	const putAsFirstRelease = async (id: number, unit: string) => {
		const [row] = await store.get('s', [{ kind: 'variable', id }]);
		if (row == null) return;
		const stored = serializeRow({ ...row, version: row.version + 1, variable: { ...row.variable, unit } });
		database.prepare("UPDATE row SET body = ? WHERE schema = 's' AND kind = 'variable' AND id = ?").run(stored, id);
		database.exec("UPDATE head SET revision = revision + 1 WHERE schema = 's'");
	};

	test('reads everything again after a function of the first release wrote', async () => {
		await unitsOf([1, 2, 3]);
		await putAsFirstRelease(2, 'new');
		await put(3, 2, 'new');
		snapshots.splice(0);
		expect(await unitsOf([1, 2, 3])).toEqual(['1 L/s', '2 new', '3 new']);
		expect(snapshots).toEqual([[], [1, 2, 3]]);
	});

	test('keeps schemas apart', async () => {
		await unitsOf('all');
		expect(await definitions.get('other', 'all')).toEqual(new Map());
		expect(await definitions.get('other', [1])).toEqual(new Map());
	});
});
