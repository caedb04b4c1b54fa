import { openChangeDeps } from '#wiring/changes-deps.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { createHandler } from './handler.ts';

export const handler = withLambdaDeadline(createHandler(openChangeDeps()));
