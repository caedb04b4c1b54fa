import { openReportTables } from '#wiring/report-day-deps.ts';
import { withRequestTime } from '#wiring/request-time.ts';
import { createHandler } from './handler.ts';

export const handler = withRequestTime(createHandler(openReportTables().deps));
