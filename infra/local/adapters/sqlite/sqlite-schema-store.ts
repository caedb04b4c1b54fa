import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { defaultJournalDays, type JournalDays } from '#adapters/stored-change.ts';
import { changesRows, pageOf, rowOfKind, type StoredText, serializeRow } from '#adapters/stored-row.ts';
import { boardKinds, perBoardKind } from '#domain/board/board-kinds.ts';
import {
	type CommitOutcome,
	checkCommitSize,
	type IdempotencyRecord,
	type JournalEntries,
	type ListedKind,
	maxRows,
	minListedRevisions,
	type PageRequest,
	type RowCommit,
	type RowKey,
	type RowKinds,
	type RowOf,
	type SchemaMetadata,
	type SchemaStore,
} from '#domain/ports/schema-store.ts';
import { changedDefinitions, growthOf } from '#domain/transaction/growth.ts';
import { variableKey } from '#domain/transaction/read-set.ts';
import { alarmEventWriter } from './sqlite-alarm-events.ts';
import { changeWriter } from './sqlite-change-journal.ts';
import { addMissingColumns, inCommit, inReadTransaction, inTransaction } from './sqlite-database.ts';
import { withFileFaults } from './sqlite-fault.ts';
import { idempotencyRecordWriter } from './sqlite-idempotency.ts';

/**
 * `head`: the metadata of a schema. A count of boards is null until it is counted. `changes`: the variables that each of the last
 * revisions changed. `listed`: the number of revisions that `changes` ever listed. It is below `revision` when an earlier release wrote
 * the schema. `importing`: an import that began and has not ended. `row.stamp`: the `rowVersion` of a row.
 */
const tables = `
	CREATE TABLE IF NOT EXISTS head (
		schema TEXT PRIMARY KEY, revision INTEGER NOT NULL DEFAULT 0, variables INTEGER NOT NULL DEFAULT 0, last_id INTEGER NOT NULL DEFAULT 0
	) STRICT, WITHOUT ROWID;
	CREATE TABLE IF NOT EXISTS row (
		schema TEXT, kind TEXT, id INTEGER, stamp INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (schema, kind, id)
	) STRICT, WITHOUT ROWID;
`;

/** Columns that files of the first release lack. */
const addedColumns = {
	chart: 'INTEGER',
	diagram: 'INTEGER',
	alarm: 'INTEGER',
	correction: 'INTEGER',
	report: 'INTEGER',
	entry: 'INTEGER',
	listed: 'INTEGER NOT NULL DEFAULT 0',
	changes: "TEXT NOT NULL DEFAULT '[]'",
	importing: 'TEXT',
} as const;

const metadataSchema = v.pipe(
	v.optional(
		v.object({
			revision: v.number(),
			variables: v.number(),
			...perBoardKind(() => v.nullable(v.number())),
			lastId: v.number(),
			listed: v.number(),
			// Without the list, readers read anew what they need.
			changes: v.fallback(v.pipe(v.string(), v.parseJson(), v.array(v.array(v.number()))), []),
		}),
		// A schema without a row was never written to.
		{
			revision: 0,
			variables: 0,
			...perBoardKind(() => null),
			lastId: 0,
			listed: 0,
			changes: '[]',
		},
	),
	v.transform(
		({ revision, variables, lastId, listed, changes, ...boards }): SchemaMetadata => ({
			revision,
			variables,
			lastId,
			listed,
			changes,
			// Marks tell packs of one schema from those of another. There are no packs here.
			marks: changes.map(() => 0),
			boards,
		}),
	),
);
const revisionSchema = v.optional(v.object({ revision: v.number() }), { revision: 0 });
const idSchema = v.object({ id: v.number() });
const rowVersionSchema = v.optional(v.object({ stamp: v.number() }));
const textSchema = v.object({ id: v.number(), stamp: v.number(), body: v.string() });
const countedSchema = v.object({ count: v.number() });

/** `SchemaStore` in SQLite, for one machine. `days`: how many days entries stay in the journals. */
export function createSqliteSchemaStore(database: DatabaseSync, days: JournalDays = defaultJournalDays): SchemaStore {
	database.exec(tables);
	addMissingColumns(database, 'head', addedColumns);
	const statements = prepare(database);
	const commitRows = rowCommitter(database, statements, days);

	const revisionOf = (schema: string): number => v.parse(revisionSchema, statements.revision.get(schema)).revision;
	const get = <Key extends RowKey>(schema: string, key: Key): RowOf<Key> | null => {
		const kind: Key['kind'] = key.kind;
		const stored = statements.get.get(schema, kind, idOf(key));
		return stored === undefined ? null : rowOf(schema, kind, stored);
	};
	const list = <Kind extends ListedKind>(schema: string, kind: Kind): readonly RowKinds[Kind][] =>
		statements.list.all(schema, kind).map((stored) => rowOf(schema, kind, stored));

	/**
	 * Yields the texts of a page, and of the row after it, which tells that another page follows. Each text is read when it is asked for:
	 * `pageOf` stops at a size, and what is beyond it is not read.
	 */
	function* textsAfter(schema: string, kind: ListedKind, { after, limit }: PageRequest): Generator<StoredText> {
		const select = kind === 'variable' ? statements.pageById : statements.pageByKey;
		for (const listed of select.all(schema, kind, after, limit + 1))
			yield { schema, ...v.parse(textSchema, statements.get.get(schema, kind, v.parse(idSchema, listed).id)) };
	}

	return withFileFaults<SchemaStore>({
		revision: async (schema) => metadataOf(statements, schema),
		packed: async () => null,
		get: async (schema, keys) => keys.map((key) => get(schema, key)),
		list: async (schema, kind) => list(schema, kind),
		page: async (schema, kind, request) =>
			inReadTransaction(database, () => pageOf(kind, request.limit, textsAfter(schema, kind, request))),
		snapshot: async (schema, ids) =>
			inReadTransaction(database, () => {
				const rows = ids === 'all' ? list(schema, 'variable') : ids.flatMap((id) => get(schema, variableKey(id)) ?? []);
				const { revision, listed, changes, marks } = metadataOf(statements, schema);
				return { revision, listed, changes, marks, variables: new Map(rows.map((row) => [row.variable.id, row])) };
			}),
		nextId: async (schema) => v.parse(idSchema, statements.nextId.get(schema)).id,
		commit: async (schema, rows, record, journals = {}) => {
			checkCommitSize(rows, journals);
			return inCommit(database, () => commitRows({ schema, rows, record, journals }));
		},
		schemaMetadata: async (schema) => metadataOf(statements, schema),
		correctMetadata: async (schema, { expectedRevision, variables, boards, lastId }) =>
			inTransaction(database, () => {
				if (revisionOf(schema) !== expectedRevision) return 'conflict';
				// A count of null keeps the stored one.
				statements.correct.run(schema, variables, lastId, ...boardKinds.map((kind) => boards?.[kind] ?? null));
				return 'committed';
			}),
	});
}

/** A commit of the store. */
interface Commit {
	readonly schema: string;
	readonly rows: readonly RowCommit[];
	readonly record: IdempotencyRecord | undefined;
	readonly journals: JournalEntries;
}

/** Creates the function that makes a commit. Call it in a transaction. */
function rowCommitter(database: DatabaseSync, statements: SchemaStatements, days: JournalDays) {
	const rowVersionOf = rowVersionReader(database);
	const alarmEvents = alarmEventWriter(database, days.events);
	const changeJournal = changeWriter(database, days.changes);
	const storeRecord = idempotencyRecordWriter(database);

	return ({ schema, rows, record, journals: { events = [], changes = [] } }: Commit): CommitOutcome => {
		if (rows.some(({ key, expected }) => rowVersionOf(schema, key) !== expected)) return 'conflict';
		if (!alarmEvents.areNew(schema, events) || !changeJournal.areNew(schema, changes)) return 'conflict';
		const growth = growthOf(rows);
		const metadata = metadataOf(statements, schema);
		/** The rows of each kind before the commit; null while they are not counted. */
		const counts = { variable: metadata.variables, ...metadata.boards };
		// Boards of a kind that are not counted yet are counted when one is added.
		for (const kind of boardKinds)
			if (growth[kind] > 0) counts[kind] ??= v.parse(countedSchema, statements.count.get(schema, kind)).count;
		for (const kind of ['variable', ...boardKinds] as const)
			if (growth[kind] > 0 && (counts[kind] ?? 0) + growth[kind] > maxRows[kind]) return 'full';
		if (record !== undefined && !storeRecord(record)) return 'claim_lost';
		alarmEvents.add(schema, events);
		changeJournal.add(schema, changes);
		for (const { key, put } of rows) {
			if (put === null) statements.remove.run(schema, key.kind, idOf(key));
			// Undefined: the row is only compared with its expected version.
			else if (put !== undefined) statements.put.run(schema, key.kind, idOf(key), put.rowVersion, serializeRow(put));
		}
		if (!changesRows(rows)) return 'committed';
		const lastChanges = [...metadata.changes, changedDefinitions(rows)].slice(-minListedRevisions);
		const boards = boardKinds.map((kind) => (counts[kind] === null ? null : counts[kind] + growth[kind]));
		statements.advance.run(schema, growth.variable, JSON.stringify(lastChanges), ...boards);
		return 'committed';
	};
}

function rowOf<Kind extends keyof RowKinds>(schema: string, kind: Kind, stored: unknown): RowKinds[Kind] {
	const { body, ...at } = v.parse(textSchema, stored);
	return rowOfKind(kind, { schema, ...at }, body);
}

const metadataOf = (statements: SchemaStatements, schema: string): SchemaMetadata =>
	v.parse(metadataSchema, statements.metadata.get(schema));

/** Creates the function that returns the stored `rowVersion` of a row; null when it does not exist. */
export function rowVersionReader(database: DatabaseSync) {
	database.exec(tables);
	const select = database.prepare('SELECT stamp FROM row WHERE schema = ? AND kind = ? AND id = ?');
	return (schema: string, key: RowKey): number | null =>
		v.parse(rowVersionSchema, select.get(schema, key.kind, idOf(key)))?.stamp ?? null;
}

/** The columns of the counts of boards, and a parameter for each. */
const countColumns = boardKinds.join();
const countParameters = boardKinds.map(() => '?').join();

type SchemaStatements = ReturnType<typeof prepare>;

/** Prepares the statements of a database. */
const prepare = (database: DatabaseSync) => ({
	revision: database.prepare('SELECT revision FROM head WHERE schema = ?'),
	metadata: database.prepare(`
		SELECT revision, variables, ${countColumns}, last_id AS lastId, listed, changes FROM head WHERE schema = ?`),
	count: database.prepare('SELECT COUNT(*) AS count FROM row WHERE schema = ? AND kind = ?'),
	advance: database.prepare(`
		INSERT INTO head (schema, revision, variables, listed, changes, ${countColumns}) VALUES (?, 1, ?, 1, ?, ${countParameters})
		ON CONFLICT (schema) DO UPDATE SET revision = revision + 1, variables = variables + excluded.variables, listed = listed + 1,
			changes = excluded.changes, ${boardKinds.map((kind) => `${kind} = excluded.${kind}`).join()}`),
	nextId: database.prepare(`
		INSERT INTO head (schema, last_id) VALUES (?, 1)
		ON CONFLICT (schema) DO UPDATE SET last_id = last_id + 1 RETURNING last_id AS id`),
	correct: database.prepare(`
		INSERT INTO head (schema, variables, last_id, ${countColumns}) VALUES (?, ?, ?, ${countParameters})
		ON CONFLICT (schema) DO UPDATE SET variables = excluded.variables, last_id = MAX(last_id, excluded.last_id),
			${boardKinds.map((kind) => `${kind} = COALESCE(excluded.${kind}, ${kind})`).join()}`),
	get: database.prepare('SELECT id, stamp, body FROM row WHERE schema = ? AND kind = ? AND id = ?'),
	list: database.prepare('SELECT id, stamp, body FROM row WHERE schema = ? AND kind = ? ORDER BY id'),
	pageById: database.prepare('SELECT id FROM row WHERE schema = ? AND kind = ? AND id > ? ORDER BY id LIMIT ?'),
	// The same order as in DynamoDB, where the key of a board is text.
	pageByKey: database.prepare(`
		SELECT id FROM row WHERE schema = ? AND kind = ? AND CAST(id AS TEXT) > CAST(? AS TEXT) ORDER BY CAST(id AS TEXT) LIMIT ?`),
	put: database.prepare(`
		INSERT INTO row (schema, kind, id, stamp, body) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (schema, kind, id) DO UPDATE SET stamp = excluded.stamp, body = excluded.body`),
	remove: database.prepare('DELETE FROM row WHERE schema = ? AND kind = ? AND id = ?'),
});

/** Returns the stored id of a key. A schema has one panel, which is stored with id 0. */
const idOf = (key: RowKey): number => (key.kind === 'panel' ? 0 : key.id);
