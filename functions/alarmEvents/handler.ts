import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import { eventPageRequestOf, eventPageResponse } from '#http/event-page.ts';
import type { JournalHandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';

/** GET /alarmEvents: returns a page of the journal of alarms, newest first. */
export function createHandler(deps: JournalHandlerDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema } = callerOf(event);
		const request = eventPageRequestOf(event, deps.now());
		return eventPageResponse(request, await deps.alarms.events(schema, request));
	});
}
