import { openAlarmDeps } from '#wiring/alarm-deps.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { createHandler } from './handler.ts';

export const handler = withLambdaDeadline(createHandler({ ...openAlarmDeps(), now: Date.now }));
