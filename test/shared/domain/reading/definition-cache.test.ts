import { beforeEach, describe, expect, test } from 'vitest';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { createDefinitionCache, type DefinitionCache } from '#domain/reading/definition-cache.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { makeVariable, makeVariableRow } from '#test/support/builders/builders.ts';

describe('definitions', () => {
	let store: SchemaStore;
	let asked: (readonly number[] | 'all')[];
	let definitions: DefinitionCache;

	/** The store as it is, remembering which snapshots were asked of it; `before` runs just before each. */
	const watched = (before: () => Promise<void> = async () => undefined): DefinitionCache =>
		createDefinitionCache({
			...store,
			snapshot: async (schema, ids) => {
				asked.push(ids);
				await before();
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
		asked = [];
		definitions = watched();
		for (const id of [1, 2, 3]) await put(id, 1);
	});

	test('asks for what it does not have, once a revision, unknown ids too', async () => {
		expect(await unitsOf([1, 2])).toEqual(['1 L/s', '2 L/s']);
		expect(await unitsOf([2, 1, 9])).toEqual(['1 L/s', '2 L/s']);
		expect(await unitsOf([9, 2, 3])).toEqual(['2 L/s', '3 L/s']);
		expect(await unitsOf([1, 2, 3, 9])).toEqual(['1 L/s', '2 L/s', '3 L/s']);
		expect(asked).toEqual([[1, 2], [9], [3]]);
	});

	test('having read all, asks for nothing more', async () => {
		expect(await unitsOf('all')).toHaveLength(3);
		expect(await unitsOf([1, 77])).toEqual(['1 L/s']);
		expect(await unitsOf('all')).toHaveLength(3);
		expect(asked).toEqual(['all']);
	});

	test('never shows a definition older than a write answered before', async () => {
		await unitsOf('all');
		await put(2, 2, 'm3/h');
		expect(await unitsOf([2])).toEqual(['2 m3/h']);
		expect(await unitsOf('all')).toEqual(['1 L/s', '2 m3/h', '3 L/s']);
		await store.commit('s', [{ key: { kind: 'variable', id: 2 }, expected: 2, put: null }]);
		expect(await unitsOf([1, 2])).toEqual(['1 L/s']);
	});

	test('answers one revision throughout, though a write comes between', async () => {
		let write = async (): Promise<void> => undefined;
		const racing = watched(() => write());
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
