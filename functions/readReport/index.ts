import { openReportDeps } from '#wiring/report-deps.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { createHandler } from './handler.ts';

export const handler = withLambdaDeadline(createHandler(openReportDeps()));
