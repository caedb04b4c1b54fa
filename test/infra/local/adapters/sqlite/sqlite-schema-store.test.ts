import { describe, expect, test } from 'vitest';
import { serializeRow } from '#adapters/stored-row.ts';
import { maxRows, type RowCommit, type RowKey } from '#domain/ports/schema-store.ts';
import { createSqliteAlarmStore } from '#infra/local/adapters/sqlite/sqlite-alarm-store.ts';
import { createSqliteChangeJournal } from '#infra/local/adapters/sqlite/sqlite-change-journal.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteIdempotency } from '#infra/local/adapters/sqlite/sqlite-idempotency.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { schemaStoreContract } from '#test/contract/schema-store.ts';
import { unreadRowsContract } from '#test/contract/unread-rows.ts';
import { makeBoardRow, makeVariableRow } from '#test/support/builders/builders.ts';

schemaStoreContract('SQLite', async () => {
	const database = openDatabase(':memory:');
	return {
		store: createSqliteSchemaStore(database),
		idempotency: createSqliteIdempotency(database),
		alarms: createSqliteAlarmStore(database),
	};
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

describe('a file of the first release', () => {
	/** Opens a database with the tables and rows that the first release writes: three charts, two alarms, revision 5. */
	const openOld = () => {
		const database = openDatabase(':memory:');
		database.exec(`
			CREATE TABLE head (
				schema TEXT PRIMARY KEY, revision INTEGER NOT NULL DEFAULT 0, variables INTEGER NOT NULL DEFAULT 0, last_id INTEGER NOT NULL DEFAULT 0
			) STRICT, WITHOUT ROWID;
			CREATE TABLE row (
				schema TEXT, kind TEXT, id INTEGER, stamp INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (schema, kind, id)
			) STRICT, WITHOUT ROWID;
			INSERT INTO head VALUES ('s', 5, 1, 6);
		`);
		const put = database.prepare('INSERT INTO row VALUES (?, ?, ?, 1, ?)');
		put.run('s', 'variable', 1, serializeRow(makeVariableRow(1)));
		for (const id of [2, 3, 4]) put.run('s', 'chart', id, serializeRow(makeBoardRow('chart', id)));
		for (const id of [5, 6]) put.run('s', 'alarm', id, serializeRow(makeBoardRow('alarm', id)));
		return { database, store: createSqliteSchemaStore(database) };
	};
	const add = (kind: 'chart' | 'diagram', id: number): RowCommit => ({
		key: { kind, id },
		expected: null,
		put: makeBoardRow(kind, id),
	});
	const uncounted = { chart: null, diagram: null, alarm: null, correction: null, report: null, entry: null };

	test('is read, written to, and its boards are counted when the first one is added', async () => {
		const { store } = openOld();
		expect(await store.schemaMetadata('s')).toEqual({
			revision: 5,
			variables: 1,
			boards: uncounted,
			lastId: 6,
			listed: 0,
			changes: [],
			marks: [],
		});
		expect(await store.list('s', 'chart')).toHaveLength(3);
		expect(await store.commit('s', [{ key: { kind: 'alarm', id: 5 }, expected: 1, put: null }])).toBe('committed');
		expect(await store.schemaMetadata('s')).toMatchObject({ revision: 6, boards: uncounted, listed: 1, changes: [[]] });
		expect(await store.commit('s', [add('chart', 7)])).toBe('committed');
		expect(await store.commit('s', [add('diagram', 8)])).toBe('committed');
		expect(await store.schemaMetadata('s')).toMatchObject({ revision: 8, boards: { chart: 4, diagram: 1, alarm: null } });
	});

	test('is opened twice, and takes commits of the first release, which list nothing', async () => {
		const { database } = openOld();
		createSqliteSchemaStore(database);
		database.exec(`
			INSERT INTO head (schema, revision, variables) VALUES ('s', 1, 0)
			ON CONFLICT (schema) DO UPDATE SET revision = revision + 1, variables = variables + excluded.variables`);
		const { revision, listed } = await createSqliteSchemaStore(database).schemaMetadata('s');
		expect([revision, listed]).toEqual([6, 0]);
	});
});

unreadRowsContract('SQLite', async () => {
	const database = openDatabase(':memory:');
	const rowOf = (key: RowKey) => [key.kind, key.kind === 'panel' ? 0 : key.id] as const;
	return {
		store: createSqliteSchemaStore(database),
		changes: createSqliteChangeJournal(database, () => 1_000_000),
		textOf: async (schema, key) =>
			String(
				database.prepare('SELECT body FROM row WHERE schema = ? AND kind = ? AND id = ?').get(schema, ...rowOf(key))?.['body'],
			),
		setText: async (schema, key, text) => {
			database.prepare('UPDATE row SET body = ? WHERE schema = ? AND kind = ? AND id = ?').run(text, schema, ...rowOf(key));
		},
	};
});
