import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openStoreDeps } from '#wiring/store-deps.ts';
import { createHandler } from './handler.ts';

export const handler = withLambdaDeadline(createHandler(openStoreDeps()));
