import type { ReportKey } from '#domain/ports/report-days.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteReportDays } from '#infra/local/adapters/sqlite/sqlite-report-days.ts';
import { reportDaysContract } from '#test/contract/report-days.ts';

const open = async () => {
	const database = openDatabase(':memory:');
	const days = createSqliteReportDays(database);
	const kept = database.prepare('SELECT body FROM report_day WHERE schema = ? AND report_id = ? AND date = ? AND kept = ?');
	return {
		days,
		keptText: async ({ schema, reportId }: ReportKey, date: string, revision: number) =>
			String(kept.get(schema, reportId, date, revision)?.['body']),
	};
};

reportDaysContract('SQLite', open, 20);
