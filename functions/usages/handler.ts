import { usagesOf } from '#domain/transaction/usages.ts';
import { ok } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { StoreHandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { pathIdOf } from '#http/request.ts';

/** GET /usages/{id}: lists the boards and the panel that refer to a variable. */
export function createHandler(deps: StoreHandlerDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema } = callerOf(event);
		return ok({ data: await usagesOf(deps.store, schema, pathIdOf(event)) });
	});
}
