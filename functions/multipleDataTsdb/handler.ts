import { parseIds, readRequestSchema, readVariables } from '#domain/use-cases/read-variables.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { ReadHandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { readingsResponse } from '#http/readings-response.ts';
import { optionalBodyOf, readsAnew } from '#http/request.ts';
import { parseSent } from '#http/sent-input.ts';

/** POST /multipleDataTsdb: reads the variables in `ids`, or all variables of the caller's schema, at one moment. */
export function createHandler(deps: ReadHandlerDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema, database } = callerOf(event);
		const ids = parseSent(readRequestSchema, optionalBodyOf(event) ?? {}, parseIds);
		return readingsResponse(await readVariables(deps, schema, { database, now: deps.now(), anew: readsAnew(event) }, ids));
	});
}
