import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { changesRows, growthOf, rowOfKind, serializeRow } from '#adapters/stored-row.ts';
import { DomainError, messageOf } from '#domain/errors.ts';
import {
	type CommitOutcome,
	type IdempotencyRecord,
	type ListedKind,
	maxRowsPerCommit,
	maxVariables,
	type RowCommit,
	type RowKey,
	type RowKinds,
	type RowOf,
	type SchemaMetadata,
	type SchemaStore,
} from '#domain/ports/schema-store.ts';
import { variableKey } from '#domain/transaction/read-set.ts';
import { inReadTransaction, inTransaction } from './sqlite-database.ts';
import { fileFaultOf, withFileFaults } from './sqlite-fault.ts';
import { idempotencyRecordWriter } from './sqlite-idempotency.ts';

/** `head`: the metadata of a schema. `row.stamp`: the `rowVersion` of a row. */
const tables = `
	CREATE TABLE IF NOT EXISTS head (
		schema TEXT PRIMARY KEY, revision INTEGER NOT NULL DEFAULT 0, variables INTEGER NOT NULL DEFAULT 0, last_id INTEGER NOT NULL DEFAULT 0
	) STRICT, WITHOUT ROWID;
	CREATE TABLE IF NOT EXISTS row (
		schema TEXT, kind TEXT, id INTEGER, stamp INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (schema, kind, id)
	) STRICT, WITHOUT ROWID;
`;

const emptyMetadata: SchemaMetadata = { revision: 0, variables: 0, lastId: 0 };

const metadataSchema = v.optional(v.object({ revision: v.number(), variables: v.number(), lastId: v.number() }), emptyMetadata);
const idSchema = v.object({ id: v.number() });
const rowVersionSchema = v.optional(v.object({ stamp: v.number() }));
const bodySchema = v.object({ body: v.string() });

/** `SchemaStore` in SQLite, for one machine. */
export function createSqliteSchemaStore(database: DatabaseSync): SchemaStore {
	database.exec(tables);
	const storeRecord = idempotencyRecordWriter(database);
	const statements = prepare(database);

	const metadataOf = (schema: string): SchemaMetadata => v.parse(metadataSchema, statements.metadata.get(schema));
	const rowVersionOf = (schema: string, key: RowKey): number | null =>
		v.parse(rowVersionSchema, statements.rowVersion.get(schema, key.kind, idOf(key)))?.stamp ?? null;
	const get = <Key extends RowKey>(schema: string, key: Key): RowOf<Key> | null => {
		const kind: Key['kind'] = key.kind;
		const stored = statements.get.get(schema, kind, idOf(key));
		return stored === undefined ? null : rowOfKind(kind, v.parse(bodySchema, stored).body);
	};
	const list = <Kind extends ListedKind>(schema: string, kind: Kind): readonly RowKinds[Kind][] =>
		statements.list.all(schema, kind).map((stored) => rowOfKind(kind, v.parse(bodySchema, stored).body));

	const commit = (schema: string, rows: readonly RowCommit[], record: IdempotencyRecord | undefined): CommitOutcome => {
		if (rows.some(({ key, expected }) => rowVersionOf(schema, key) !== expected)) return 'conflict';
		const growth = growthOf(rows);
		if (growth > 0 && metadataOf(schema).variables + growth > maxVariables) return 'full';
		if (record !== undefined && !storeRecord(record)) return 'claim_lost';
		for (const { key, put } of rows) {
			if (put === null) statements.remove.run(schema, key.kind, idOf(key));
			else if (put !== undefined) statements.put.run(schema, key.kind, idOf(key), put.rowVersion, serializeRow(put));
		}
		if (changesRows(rows)) statements.advance.run(schema, growth);
		return 'committed';
	};

	return withFileFaults<SchemaStore>({
		revision: async (schema) => metadataOf(schema).revision,
		get: async (schema, keys) => keys.map((key) => get(schema, key)),
		list: async (schema, kind) => list(schema, kind),
		snapshot: async (schema, ids) =>
			inReadTransaction(database, () => {
				const rows = ids === 'all' ? list(schema, 'variable') : ids.flatMap((id) => get(schema, variableKey(id)) ?? []);
				return { revision: metadataOf(schema).revision, variables: new Map(rows.map((row) => [row.variable.id, row])) };
			}),
		nextId: async (schema) => v.parse(idSchema, statements.nextId.get(schema)).id,
		commit: async (schema, rows, record) => {
			if (rows.length > maxRowsPerCommit)
				throw new RangeError(`A commit takes ${maxRowsPerCommit} rows; this has ${rows.length}.`);
			try {
				return inTransaction(database, () => commit(schema, rows, record));
			} catch (error) {
				// The last page of the transaction may be on the disk all the same.
				if (fileFaultOf(error) === 'io') throw new DomainError('outcome_unknown', { cause: messageOf(error) }, { cause: error });
				throw error;
			}
		},
		schemaMetadata: async (schema) => metadataOf(schema),
		correctMetadata: async (schema, { expectedRevision, variables, lastId }) =>
			inTransaction(database, () => {
				if (metadataOf(schema).revision !== expectedRevision) return 'conflict';
				statements.correct.run(schema, variables, lastId);
				return 'committed';
			}),
	});
}

/** Prepares the statements of a database. */
const prepare = (database: DatabaseSync) => ({
	metadata: database.prepare('SELECT revision, variables, last_id AS lastId FROM head WHERE schema = ?'),
	advance: database.prepare(`
		INSERT INTO head (schema, revision, variables) VALUES (?, 1, ?)
		ON CONFLICT (schema) DO UPDATE SET revision = revision + 1, variables = variables + excluded.variables`),
	nextId: database.prepare(`
		INSERT INTO head (schema, last_id) VALUES (?, 1)
		ON CONFLICT (schema) DO UPDATE SET last_id = last_id + 1 RETURNING last_id AS id`),
	correct: database.prepare(`
		INSERT INTO head (schema, variables, last_id) VALUES (?, ?, ?)
		ON CONFLICT (schema) DO UPDATE SET variables = excluded.variables, last_id = MAX(last_id, excluded.last_id)`),
	rowVersion: database.prepare('SELECT stamp FROM row WHERE schema = ? AND kind = ? AND id = ?'),
	get: database.prepare('SELECT body FROM row WHERE schema = ? AND kind = ? AND id = ?'),
	list: database.prepare('SELECT body FROM row WHERE schema = ? AND kind = ? ORDER BY id'),
	put: database.prepare(`
		INSERT INTO row (schema, kind, id, stamp, body) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (schema, kind, id) DO UPDATE SET stamp = excluded.stamp, body = excluded.body`),
	remove: database.prepare('DELETE FROM row WHERE schema = ? AND kind = ? AND id = ?'),
});

/** Returns the stored id of a key. A schema has one panel, which is stored with id 0. */
const idOf = (key: RowKey): number => (key.kind === 'panel' ? 0 : key.id);
