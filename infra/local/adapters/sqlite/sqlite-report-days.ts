import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { serializeDay, storedDayOf } from '#adapters/stored-report-day.ts';
import type { ReportDays, ReportKey } from '#domain/ports/report-days.ts';
import { isKept, isRead, revisionOf } from '#domain/report/stored-day.ts';
import { inCommit } from './sqlite-database.ts';
import { withFileFaults } from './sqlite-fault.ts';

/** `kept`: 0 in the current row of a day; in a row of a replaced sealed day, its revision. `stamp`: the `rowVersion` of a day. */
const table = `
	CREATE TABLE IF NOT EXISTS report_day (
		schema TEXT NOT NULL, report_id INTEGER NOT NULL, date TEXT NOT NULL, kept INTEGER NOT NULL, stamp INTEGER NOT NULL, body TEXT NOT NULL,
		PRIMARY KEY (schema, report_id, kept, date)
	) STRICT, WITHOUT ROWID;
`;

const listedSchema = v.array(v.object({ date: v.string(), stamp: v.number(), body: v.string() }));

/** `ReportDays` in SQLite, for one machine. */
export function createSqliteReportDays(database: DatabaseSync): ReportDays {
	database.exec(table);
	const ofReport = 'schema = :schema AND report_id = :reportId';
	const list = database.prepare(`
		SELECT date, stamp, body FROM report_day WHERE ${ofReport} AND kept = 0 AND date BETWEEN :first AND :last ORDER BY date`);
	const newest = database.prepare(`SELECT max(date) AS date FROM report_day WHERE ${ofReport} AND kept = 0`);
	const revisions = database.prepare(`
		SELECT date, stamp, body FROM report_day WHERE ${ofReport} AND kept > 0 AND date = :date ORDER BY kept`);
	const keep = database.prepare(`
		UPDATE report_day SET kept = :revision WHERE ${ofReport} AND kept = 0 AND date = :date AND stamp = :stamp`);
	const insert = database.prepare(`
		INSERT INTO report_day VALUES (:schema, :reportId, :date, 0, :stamp, :body) ON CONFLICT DO NOTHING`);
	const update = database.prepare(`
		UPDATE report_day SET stamp = :stamp, body = :body WHERE ${ofReport} AND kept = 0 AND date = :date AND stamp = :replaced`);
	const daysOf = ({ schema, reportId }: ReportKey, rows: unknown) =>
		v.parse(listedSchema, rows).map(({ body, ...row }) => storedDayOf(schema, { reportId, ...row }, () => body));
	return withFileFaults({
		list: async ({ schema, reportId }, first, last) => daysOf({ schema, reportId }, list.all({ schema, reportId, first, last })),
		newest: async ({ schema, reportId }) =>
			v.parse(v.object({ date: v.nullable(v.string()) }), newest.get({ schema, reportId })).date,
		revisions: async ({ schema, reportId }, date) =>
			daysOf({ schema, reportId }, revisions.all({ schema, reportId, date })).filter(isRead),
		put: async ({ schema, reportId }, day, replaced) =>
			inCommit(database, () => {
				const key = { schema, reportId, date: day.date };
				const row = { ...key, stamp: day.rowVersion, body: serializeDay(day) };
				if (replaced === null) return insert.run(row).changes === 1;
				if (!isKept(replaced, day)) return update.run({ ...row, replaced: replaced.rowVersion }).changes === 1;
				const outcome = keep.run({ ...key, revision: revisionOf(replaced), stamp: replaced.rowVersion });
				return outcome.changes === 1 && insert.run(row).changes === 1;
			}),
	});
}
