import { openOwnAuthorization } from '#wiring/own-authorization.ts';
import { openReportDeps } from '#wiring/report-deps.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { createHandler } from './handler.ts';

const deps = openReportDeps();

export const handler = withLambdaDeadline(createHandler({ ...deps, authorization: openOwnAuthorization(deps.log, deps.dynamo) }));
