import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { usagesOf } from '#domain/use-cases/usages.ts';
import { ok } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import type { Log } from '#http/log.ts';
import { pathIdOf } from '#http/request.ts';

/** GET /usages/{id}: what refers to a variable. */
export function createHandler(deps: { readonly log: Log; readonly store: SchemaStore }): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema } = callerOf(event);
		return ok({ data: await usagesOf(deps.store, schema, pathIdOf(event)) });
	});
}
