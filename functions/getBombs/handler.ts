import { getPanel } from '#domain/use-cases/get-panel.ts';
import { ok, withReadings } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import { etagOf } from '#http/etag.ts';
import type { ApiHandler } from '#http/event.ts';
import type { ReadHandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { readsAnew } from '#http/request.ts';
import { shownPanelToJson } from '#http/serialize.ts';

/** GET /bombs: returns the pump-station panel, each item with its current state. */
export function createHandler(deps: ReadHandlerDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema, database } = callerOf(event);
		const { row, states } = await getPanel(deps, schema, { database, now: deps.now(), anew: readsAnew(event) });
		const body = { data: shownPanelToJson(row, states) };
		return withReadings(states.values(), ok(body, etagOf(row)));
	});
}
