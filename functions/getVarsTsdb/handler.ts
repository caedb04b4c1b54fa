import { listVariables } from '#domain/use-cases/list-variables.ts';
import { ok } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { StoreHandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { variableToJson } from '#http/serialize.ts';

/** GET /getVarsTsdb: lists the variables of the caller's schema by ascending id. */
export function createHandler(deps: StoreHandlerDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema } = callerOf(event);
		const rows = await listVariables(deps.store, schema);
		return ok({ data: rows.map(variableToJson) });
	});
}
