import { listAlarms } from '#domain/use-cases/list-alarms.ts';
import { ok, withReadings } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { ReadHandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { alarmToJson } from '#http/serialize.ts';

/** GET /getAlarms: lists the alarms of the caller's schema by ascending id, each with its current state. */
export function createHandler(deps: ReadHandlerDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema, database } = callerOf(event);
		const alarms = await listAlarms(deps, schema, { database, now: deps.now() });
		return withReadings(alarms, ok({ data: alarms.map(alarmToJson) }));
	});
}
