import { alarmStates } from '#domain/use-cases/list-alarms.ts';
import { withReadings } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { ReadHandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { listingResponse, readListing } from '#http/listing.ts';
import { readsAnew } from '#http/request.ts';
import { alarmToJson } from '#http/serialize.ts';

/** GET /getAlarms: lists the alarms of the caller's schema, all by ascending id or a page, each with its current state. */
export function createHandler(deps: ReadHandlerDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema, database } = callerOf(event);
		const listing = await readListing(event, deps.store, schema, 'alarm');
		const states = await alarmStates(deps, schema, { database, now: deps.now(), anew: readsAnew(event) }, listing.rows);
		const entries = states.map((state) => ({ id: state.alarm.id, json: alarmToJson(state) }));
		return withReadings(states, listingResponse(listing, entries));
	});
}
