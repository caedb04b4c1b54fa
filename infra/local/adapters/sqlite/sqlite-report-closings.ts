import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { aheadMs, type ReportClosings } from '#domain/ports/report-closings.ts';
import { withFileFaults } from './sqlite-fault.ts';

const table = `
	CREATE TABLE IF NOT EXISTS report_closing (
		schema TEXT PRIMARY KEY, due_at INTEGER NOT NULL, failing_since INTEGER, stopped INTEGER NOT NULL DEFAULT 0
	) STRICT, WITHOUT ROWID;
`;

const rowsSchema = v.array(
	v.object({ schema: v.string(), dueAt: v.number(), failingSince: v.nullable(v.number()), isStopped: v.number() }),
);

/** `ReportClosings` in SQLite, for one machine. */
export function createSqliteReportClosings(database: DatabaseSync): ReportClosings {
	database.exec(table);
	const find = database.prepare(`
		SELECT schema, due_at AS dueAt, failing_since AS failingSince, stopped AS isStopped FROM report_closing
		WHERE schema IN (SELECT value FROM json_each(?))`);
	const begin = database.prepare(`
		INSERT INTO report_closing (schema, due_at, failing_since) VALUES (:schema, :until, :now)
		ON CONFLICT (schema) DO UPDATE SET due_at = :until, failing_since = coalesce(failing_since, :now)
		WHERE (due_at <= :now OR due_at > :latest) AND stopped = 0`);
	const end = database.prepare(`
		INSERT INTO report_closing (schema, due_at) VALUES (:schema, :dueAt)
		ON CONFLICT (schema) DO UPDATE SET due_at = :dueAt, failing_since = iif(:failed, failing_since, NULL)`);
	const stop = database.prepare(`
		INSERT INTO report_closing (schema, due_at, stopped) VALUES (?, 0, 1) ON CONFLICT (schema) DO UPDATE SET stopped = 1`);
	const restart = database.prepare('DELETE FROM report_closing WHERE schema = ?');
	return withFileFaults<ReportClosings>({
		find: async (schemas) =>
			new Map(
				v
					.parse(rowsSchema, find.all(JSON.stringify(schemas)))
					.map(({ schema, isStopped, ...times }) => [schema, { ...times, isStopped: isStopped !== 0 }]),
			),
		begin: async (schema, now, until) => begin.run({ schema, now, until, latest: now + aheadMs }).changes > 0,
		end: async (schema, { dueAt, failed }) => void end.run({ schema, dueAt, failed: failed ? 1 : 0 }),
		stop: async (schema) => void stop.run(schema),
		restart: async (schema) => void restart.run(schema),
	});
}
