import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openTopicDeps } from '#wiring/topic-deps.ts';
import { createHandler } from './handler.ts';

export const handler = withLambdaDeadline(createHandler(openTopicDeps()));
