import { createLambdaWorkers } from '#adapters/aws/lambda-workers.ts';
import { dispatchAlarmsSchema, readConfig } from '#shared/config.ts';
import { openAlarmDeps } from '#wiring/alarm-deps.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { createHandler } from './handler.ts';

const config = readConfig(dispatchAlarmsSchema);

const dispatcher = {
	...openAlarmDeps(),
	workers: createLambdaWorkers({ functionName: config.WORKER_FUNCTION }),
	settleMs: config.ALARM_SETTLE_SECONDS * 1000,
	now: Date.now,
};

export const handler = withLambdaDeadline(createHandler(dispatcher));
