import { listAlarms } from '#domain/use-cases/list-alarms.ts';
import { withReadings } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { AlarmReadHandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { listingResponse, readListing } from '#http/listing.ts';
import { readsAnew } from '#http/request.ts';
import { alarmToJson, evaluationToJson } from '#http/serialize-alarm.ts';

/** GET /getAlarms: lists the alarms of the caller's schema, all by ascending id, a page, or some by id, each with its current state. */
export function createHandler(deps: AlarmReadHandlerDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema, database } = callerOf(event);
		const context = { database, now: deps.now(), anew: readsAnew(event) };
		const listing = await readListing(event, deps.store, schema, 'alarm', {
			readAll: () => deps.savedAlarms.list(schema, context.now),
		});
		const { states, evaluation } = await listAlarms(deps, schema, context, listing);
		const entries = states.map((state) => ({ id: state.alarm.id, json: alarmToJson(state), isBound: state.isBound }));
		// An alarm that an earlier release saved is bound to no database, and is not evaluated until it is saved again.
		const response = listingResponse(listing, entries, (listed) => ({
			evaluation: evaluationToJson(evaluation, listed.filter(({ isBound }) => !isBound).length),
		}));
		return withReadings(states, response);
	});
}
