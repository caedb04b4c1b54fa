import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { damagedProgress, type Evaluations, newProgress } from '#adapters/stored-alarm.ts';
import { type EvaluationProgress, evaluationProgressSchema } from '#domain/alarm-rows/alarm-rows.ts';
import { leaseMs } from '#domain/ports/alarm-store.ts';
import { inTransaction } from './sqlite-database.ts';

const table = 'CREATE TABLE IF NOT EXISTS evaluation (schema TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID';

const progressSchema = v.pipe(v.string(), v.parseJson(), evaluationProgressSchema);
const storedSchema = v.object({ body: progressSchema });
const listedSchema = v.array(v.object({ schema: v.string(), body: v.fallback(progressSchema, damagedProgress) }));

/** The evaluation of schemas in SQLite, one row each. */
export function createSqliteEvaluations(database: DatabaseSync): Evaluations {
	database.exec(table);
	const list = database.prepare('SELECT schema, body FROM evaluation');
	const find = database.prepare('SELECT body FROM evaluation WHERE schema = ?');
	const insert = database.prepare('INSERT OR IGNORE INTO evaluation VALUES (?, ?)');
	const update = database.prepare('UPDATE evaluation SET body = ? WHERE schema = ?');
	const remove = database.prepare('DELETE FROM evaluation WHERE schema = ?');
	const progressOf = (schema: string): EvaluationProgress | null =>
		v.parse(v.optional(storedSchema), find.get(schema))?.body ?? null;
	return {
		evaluatedSchemas: async () => v.parse(listedSchema, list.all()).map(({ schema, body: progress }) => ({ schema, progress })),
		progress: async (schema) => progressOf(schema),
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
				update.run(JSON.stringify({ ...stored, ...fields, ...(release ? { lease: null, leaseUntil: 0 } : {}) }), schema);
				return true;
			}),
	};
}
