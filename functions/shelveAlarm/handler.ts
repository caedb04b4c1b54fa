import type { AlarmState } from '#domain/use-cases/list-alarms.ts';
import { shelfSchema, shelveAlarm } from '#domain/use-cases/shelve-alarm.ts';
import { createRoleHandler } from '#http/admission.ts';
import { ok } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { AlarmOperationHandlerDeps } from '#http/handler-deps.ts';
import { idempotent } from '#http/idempotent.ts';
import { bodyOf, pathIdOf, refuseDryRun } from '#http/request.ts';
import { parseSent } from '#http/sent-input.ts';
import { alarmToJson } from '#http/serialize-alarm.ts';

/** POST /shelveAlarm/{id}: shelves an alarm for some minutes. No messages about it are sent during that time. */
export function createHandler(deps: AlarmOperationHandlerDeps): ApiHandler {
	return createRoleHandler(deps, async (event) => {
		const { schema, database, actor } = callerOf(event);
		refuseDryRun(event);
		const id = pathIdOf(event);
		const shelf = parseSent(shelfSchema, bodyOf(event));
		const by = { database, user: actor, now: deps.now() };
		return idempotent<AlarmState>(
			deps,
			event,
			(createRecord) => shelveAlarm(deps, schema, id, shelf, by, createRecord),
			(state) => ok({ data: alarmToJson(state) }),
		);
	});
}
