import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openSessionDeps } from '#wiring/session-deps.ts';
import { createHandler } from './handler.ts';

export const handler = withLambdaDeadline(createHandler(openSessionDeps().deps));
