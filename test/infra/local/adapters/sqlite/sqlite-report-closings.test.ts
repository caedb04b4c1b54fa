import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteReportClosings } from '#infra/local/adapters/sqlite/sqlite-report-closings.ts';
import { reportClosingsContract } from '#test/contract/report-closings.ts';

reportClosingsContract('SQLite', async () => createSqliteReportClosings(openDatabase(':memory:')), 20);
