import { parseIds, readVariables } from '#domain/use-cases/read-variables.ts';
import { ok, withReadings } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { ReadHandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { optionalBodyOf } from '#http/request.ts';
import { readingToJson } from '#http/serialize.ts';

/** POST /multipleDataTsdb: reads the variables in `ids`, or all variables of the caller's schema, at one moment. */
export function createHandler(deps: ReadHandlerDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema, database } = callerOf(event);
		const ids = parseIds(optionalBodyOf(event) ?? {});
		const readings = await readVariables(deps, schema, { database, now: deps.now() }, ids);
		return withReadings(readings, ok({ data: readings.map(readingToJson) }));
	});
}
