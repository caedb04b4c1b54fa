import { idOfRow } from '#domain/ports/schema-store.ts';
import { listedVariables } from '#domain/use-cases/list-variables.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { StoreHandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { listingResponse, readListing } from '#http/listing.ts';
import { variableToJson } from '#http/serialize.ts';

/** GET /getVarsTsdb: lists the variables of the caller's schema by ascending id, all of them or a page, or some by id. */
export function createHandler(deps: StoreHandlerDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema } = callerOf(event);
		const listing = await readListing(event, deps.store, schema, 'variable');
		const entries = listedVariables(listing.rows).map((row) => ({ id: idOfRow(row), json: variableToJson(row) }));
		return listingResponse(listing, entries);
	});
}
