import { ok } from '#http/api-response.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';

/** The dependencies of `health`. */
export interface HealthDeps extends HandlerDeps {
	/** The running release, as in package.json. */
	readonly version: string;
}

/** GET /health: says that the service answers, and which release it is. It calls no dependency. */
export function createHandler({ log, version }: HealthDeps): ApiHandler {
	return createLambdaHandler(log, async () => ok({ status: 'ok', version }));
}
