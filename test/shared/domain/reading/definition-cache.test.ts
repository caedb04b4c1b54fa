import { beforeEach, describe, expect, test } from 'vitest';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { createDefinitionCache, type DefinitionCache } from '#domain/reading/definition-cache.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { makeVariable, makeVariableRow } from '#test/support/builders/builders.ts';

describe('createDefinitionCache', () => {
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
		store = createSqliteSchemaStore(openDatabase(':memory:'));
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

	test('keeps schemas apart', async () => {
		await unitsOf('all');
		expect(await definitions.get('other', 'all')).toEqual(new Map());
		expect(await definitions.get('other', [1])).toEqual(new Map());
	});
});
