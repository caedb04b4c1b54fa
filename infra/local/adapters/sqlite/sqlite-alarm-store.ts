import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import {
	alarmRowKinds,
	alarmRowsOf,
	damagedProgress,
	defaultAlarmEventDays,
	type Evaluations,
	newProgress,
	storedAlarmsOf,
} from '#adapters/stored-alarm.ts';
import {
	type EvaluationProgress,
	type EvaluatorState,
	evaluationProgressSchema,
	type OperatorState,
	type Outbox,
} from '#domain/alarm-rows/alarm-rows.ts';
import {
	type AlarmCommit,
	type AlarmCommitOutcome,
	type AlarmRowWrite,
	type AlarmStore,
	leaseMs,
	maxEventsPerCommit,
} from '#domain/ports/alarm-store.ts';
import { alarmEventReader, alarmEventWriter } from './sqlite-alarm-events.ts';
import { inCommit, inReadTransaction, inTransaction } from './sqlite-database.ts';
import { withFileFaults } from './sqlite-fault.ts';
import { idempotencyRecordWriter } from './sqlite-idempotency.ts';
import { rowVersionReader } from './sqlite-schema-store.ts';

/** The rows of alarms: what evaluation and operators know of each. `stamp`: the `rowVersion` of a row. */
const table = `
	CREATE TABLE IF NOT EXISTS alarm_row (
		schema TEXT, alarm_id INTEGER, kind TEXT, stamp INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (schema, alarm_id, kind)
	) STRICT, WITHOUT ROWID;
`;

const rowsSchema = v.array(v.object({ alarmId: v.number(), kind: v.picklist(alarmRowKinds), body: v.string() }));
const stampSchema = v.optional(v.object({ stamp: v.number() }));
const definitionsSchema = v.array(v.object({ id: v.number(), stamp: v.number(), body: v.string() }));

/**
 * `AlarmStore` in SQLite, for one machine, in the database of the rows.
 * @param eventDays how many days events stay in the journal
 * @param now epoch milliseconds
 */
export function createSqliteAlarmStore(
	database: DatabaseSync,
	eventDays: number = defaultAlarmEventDays,
	now: () => number = Date.now,
): AlarmStore {
	database.exec(table);
	const rowVersionOf = rowVersionReader(database);
	const storeRecord = idempotencyRecordWriter(database);
	const journal = alarmEventWriter(database, eventDays);
	const readEvents = alarmEventReader(database, now);
	const statements = prepare(database);

	const stampOf = (schema: string, alarmId: number, kind: string): number | null =>
		v.parse(stampSchema, statements.stamp.get(schema, alarmId, kind))?.stamp ?? null;

	const commit = (schema: string, { alarmId, checks = [], events = [], record, ...rows }: AlarmCommit): AlarmCommitOutcome => {
		const writes = alarmRowKinds.flatMap((kind) => {
			const write: AlarmRowWrite<EvaluatorState | OperatorState | Outbox> | undefined = rows[kind];
			return write === undefined ? [] : [{ kind, ...write }];
		});
		if (writes.some(({ kind, expected }) => stampOf(schema, alarmId, kind) !== expected)) return 'conflict';
		if (checks.some(({ key, expected }) => rowVersionOf(schema, key) !== expected)) return 'conflict';
		if (!journal.areNew(schema, events)) return 'conflict';
		if (record !== undefined && !storeRecord(record)) return 'claim_lost';
		journal.add(schema, events);
		for (const { kind, put } of writes) {
			if (put === null) statements.remove.run(schema, alarmId, kind);
			// Undefined: the row is only compared with its expected version.
			else if (put !== undefined) statements.put.run(schema, alarmId, kind, put.rowVersion, JSON.stringify(put));
		}
		return 'committed';
	};

	return withFileFaults<AlarmStore>({
		...createSqliteEvaluations(database),
		alarms: async (schema) => {
			const definitions = v.parse(definitionsSchema, statements.definitions.all(schema));
			return storedAlarmsOf(definitions.map((stored) => ({ schema, ...stored })));
		},
		rows: async (schema) => alarmRowsOf(v.parse(rowsSchema, statements.rows.all(schema))),
		rowsOf: async (schema, alarmIds) => alarmRowsOf(v.parse(rowsSchema, statements.rowsOf.all(schema, JSON.stringify(alarmIds)))),
		commit: async (schema, change) => {
			const { events = [] } = change;
			if (events.length > maxEventsPerCommit)
				throw new RangeError(`A commit takes ${maxEventsPerCommit} events; this has ${events.length}.`);
			return inCommit(database, () => commit(schema, change));
		},
		events: async (schema, page) => inReadTransaction(database, () => readEvents(schema, page)),
	});
}

/** In SQL. A newer release may have stored others. */
const knownKinds = alarmRowKinds.map((kind) => `'${kind}'`).join(', ');

/** Prepares the statements of a database. */
const prepare = (database: DatabaseSync) => ({
	definitions: database.prepare("SELECT id, stamp, body FROM row WHERE schema = ? AND kind = 'alarm' ORDER BY id"),
	rows: database.prepare(`SELECT alarm_id AS alarmId, kind, body FROM alarm_row WHERE schema = ? AND kind IN (${knownKinds})`),
	rowsOf: database.prepare(`
		SELECT alarm_id AS alarmId, kind, body FROM alarm_row
		WHERE schema = ? AND alarm_id IN (SELECT value FROM json_each(?)) AND kind IN (${knownKinds})`),
	stamp: database.prepare('SELECT stamp FROM alarm_row WHERE schema = ? AND alarm_id = ? AND kind = ?'),
	put: database.prepare(`
		INSERT INTO alarm_row VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (schema, alarm_id, kind) DO UPDATE SET stamp = excluded.stamp, body = excluded.body`),
	remove: database.prepare('DELETE FROM alarm_row WHERE schema = ? AND alarm_id = ? AND kind = ?'),
});

const evaluationTable =
	'CREATE TABLE IF NOT EXISTS evaluation (schema TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID';

const progressSchema = v.pipe(v.string(), v.parseJson(), evaluationProgressSchema);
const storedSchema = v.object({ body: progressSchema });
/** A row that cannot be read must not keep the other schemas from being listed, nor alarms from being read. */
const listedSchema = v.object({ schema: v.string(), body: v.fallback(progressSchema, damagedProgress) });

/** The evaluation of schemas in SQLite, one row each. */
function createSqliteEvaluations(database: DatabaseSync): Evaluations {
	database.exec(evaluationTable);
	const list = database.prepare('SELECT schema, body FROM evaluation');
	const find = database.prepare('SELECT schema, body FROM evaluation WHERE schema = ?');
	const insert = database.prepare('INSERT OR IGNORE INTO evaluation VALUES (?, ?)');
	const update = database.prepare('UPDATE evaluation SET body = ? WHERE schema = ?');
	const remove = database.prepare('DELETE FROM evaluation WHERE schema = ?');
	const progressOf = (schema: string): EvaluationProgress | null =>
		v.parse(v.optional(storedSchema), find.get(schema))?.body ?? null;
	return {
		evaluatedSchemas: async () =>
			v.parse(v.array(listedSchema), list.all()).map(({ schema, body: progress }) => ({ schema, progress })),
		progress: async (schema) => v.parse(v.optional(listedSchema), find.get(schema))?.body ?? null,
		startEvaluation: async (schema, now) => {
			insert.run(schema, JSON.stringify(newProgress(now)));
		},
		stopEvaluation: async (schema) => remove.run(schema).changes > 0,
		acquireLease: async (schema, lease, now) =>
			inTransaction(database, () => {
				const stored = progressOf(schema);
				if (stored === null || (stored.leaseUntil > now && stored.lease !== lease)) return null;
				const leased = { ...stored, lease, leaseUntil: now + leaseMs };
				update.run(JSON.stringify(leased), schema);
				return leased;
			}),
		updateProgress: async (schema, { lease, expected, release = false, ...fields }) =>
			inTransaction(database, () => {
				const stored = progressOf(schema);
				if (stored === null || stored.lease !== lease || stored.evaluatedUntil !== expected) return false;
				const leaseFields = release ? { lease: null, leaseUntil: 0 } : {};
				update.run(JSON.stringify({ ...stored, ...fields, ...leaseFields }), schema);
				return true;
			}),
	};
}
