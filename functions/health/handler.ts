import { ok } from '#http/api-response.ts';
import type { ApiHandler } from '#http/event.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import type { Log } from '#http/log.ts';

/** GET /health: whether the service answers; touches no dependency. */
export function createHandler(deps: { readonly log: Log }): ApiHandler {
	return createLambdaHandler(deps.log, async () => ok({ status: 'ok' }));
}
