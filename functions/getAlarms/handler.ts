import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { listAlarms } from '#domain/use-cases/list-alarms.ts';
import { readAlarms } from '#domain/use-cases/read-alarms.ts';
import type { ReadingDeps } from '#domain/use-cases/read-variables.ts';
import { ok, withReadings } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import type { Log } from '#http/log.ts';
import { alarmToJson } from '#http/serialize.ts';

interface Deps extends ReadingDeps {
	readonly log: Log;
	readonly store: SchemaStore;
	readonly now: () => number;
}

/** GET /getAlarms: every alarm of the caller's schema, by ascending id, with its state now. */
export function createHandler(deps: Deps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema, database } = callerOf(event);
		const alarms = await listAlarms(deps.store, schema);
		const states = await readAlarms(
			deps,
			schema,
			{ database, now: deps.now() },
			alarms.map(({ alarm }) => alarm),
		);
		return withReadings(states, ok({ data: alarms.map((alarm, index) => alarmToJson(alarm, states[index])) }));
	});
}
