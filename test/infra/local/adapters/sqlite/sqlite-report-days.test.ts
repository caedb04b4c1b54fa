import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteReportDays } from '#infra/local/adapters/sqlite/sqlite-report-days.ts';
import { reportDaysContract } from '#test/contract/report-days.ts';

reportDaysContract('SQLite', async () => createSqliteReportDays(openDatabase(':memory:')), 20);
