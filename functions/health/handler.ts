import { ok } from '#http/api-response.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';

/** GET /health: says that the service answers. It calls no dependency. */
export function createHandler(deps: HandlerDeps): ApiHandler {
	return createLambdaHandler(deps.log, async () => ok({ status: 'ok' }));
}
