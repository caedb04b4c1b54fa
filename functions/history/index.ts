import { withRequestTime } from '#wiring/request-time.ts';
import { openSpanDeps } from '#wiring/span-deps.ts';
import { createHandler } from './handler.ts';

export const handler = withRequestTime(createHandler(openSpanDeps()));
