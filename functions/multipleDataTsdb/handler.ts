import * as v from 'valibot';
import { type ReadingDeps, readVariables } from '#domain/use-cases/read-variables.ts';
import { idSchema } from '#domain/validation/field.ts';
import { parse } from '#domain/validation/parse.ts';
import { ok, withReadings } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import type { Log } from '#http/log.ts';
import { optionalBodyOf } from '#http/request.ts';
import { readingToJson } from '#http/serialize.ts';

interface Deps extends ReadingDeps {
	readonly log: Log;
	readonly now: () => number;
}

const requestSchema = v.object({ ids: v.optional(v.array(idSchema)) });

/** POST /multipleDataTsdb: what the named variables (or all) show at one moment. */
export function createHandler(deps: Deps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema, database } = callerOf(event);
		const { ids } = parse(requestSchema, optionalBodyOf(event) ?? {});
		const readings = await readVariables(deps, schema, { database, now: deps.now() }, ids ?? 'all');
		return withReadings(readings, ok({ data: readings.map(readingToJson) }));
	});
}
