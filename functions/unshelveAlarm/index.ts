import { openAlarmOperationDeps } from '#wiring/alarm-read-deps.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { createHandler } from './handler.ts';

export const handler = withLambdaDeadline(createHandler(openAlarmOperationDeps()));
