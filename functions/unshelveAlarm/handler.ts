import type { AlarmState } from '#domain/use-cases/list-alarms.ts';
import { unshelveAlarm } from '#domain/use-cases/shelve-alarm.ts';
import { createRoleHandler } from '#http/admission.ts';
import { ok } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { AlarmOperationHandlerDeps } from '#http/handler-deps.ts';
import { idempotent } from '#http/idempotent.ts';
import { checkBody, pathIdOf, refuseDryRun } from '#http/request.ts';
import { alarmToJson } from '#http/serialize-alarm.ts';

/** POST /unshelveAlarm/{id}: ends the shelf of an alarm now. Messages about the alarm are sent again. */
export function createHandler(deps: AlarmOperationHandlerDeps): ApiHandler {
	return createRoleHandler(deps, async (event) => {
		const { schema, database, actor } = callerOf(event);
		refuseDryRun(event);
		const id = pathIdOf(event);
		checkBody(event);
		const by = { database, user: actor, now: deps.now() };
		return idempotent<AlarmState>(
			deps,
			event,
			(createRecord) => unshelveAlarm(deps, schema, id, by, createRecord),
			(state) => ok({ data: alarmToJson(state) }),
		);
	});
}
