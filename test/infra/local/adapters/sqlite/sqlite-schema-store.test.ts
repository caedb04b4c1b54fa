import { expect, test } from 'vitest';
import { maxRows, type RowCommit } from '#domain/ports/schema-store.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteIdempotency } from '#infra/local/adapters/sqlite/sqlite-idempotency.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { schemaStoreContract } from '#test/contract/schema-store.ts';
import { makeVariableRow } from '#test/support/builders/builders.ts';

schemaStoreContract('SQLite', async () => {
	const database = openDatabase(':memory:');
	return { store: createSqliteSchemaStore(database), idempotency: createSqliteIdempotency(database) };
});

test('accepts 10,000 variables, rejects one more, and counts deletions', async () => {
	const store = createSqliteSchemaStore(openDatabase(':memory:'));
	const create = (id: number): RowCommit => ({
		key: { kind: 'variable', id },
		expected: null,
		put: makeVariableRow(id),
	});
	const step = 50;
	for (let first = 1; first <= maxRows.variable; first += step)
		expect(
			await store.commit(
				's',
				Array.from({ length: step }, (_, index) => create(first + index)),
			),
		).toBe('committed');
	expect(await store.commit('s', [create(maxRows.variable + 1)])).toBe('full');
	expect(await store.commit('s', [{ key: { kind: 'variable', id: 1 }, expected: 1, put: null }])).toBe('committed');
	expect(await store.commit('s', [create(maxRows.variable + 1)])).toBe('committed');
	expect(await store.commit('s', [create(maxRows.variable + 2)])).toBe('full');
});
