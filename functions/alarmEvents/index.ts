import { withRequestTime } from '#wiring/request-time.ts';
import { openAlarmDeps } from '#wiring/store-deps.ts';
import { createHandler } from './handler.ts';

export const handler = withRequestTime(createHandler({ ...openAlarmDeps(), now: Date.now }));
