import { openReportTables } from '#wiring/report-day-deps.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { createHandler } from './handler.ts';

export const handler = withLambdaDeadline(createHandler({ ...openReportTables().deps, now: Date.now }));
