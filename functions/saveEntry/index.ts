import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openWriteDeps } from '#wiring/write-deps.ts';
import { createHandler } from './handler.ts';

export const handler = withLambdaDeadline(createHandler(openWriteDeps()));
