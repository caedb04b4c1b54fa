import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { getPanel } from '#domain/use-cases/get-panel.ts';
import { readPanel } from '#domain/use-cases/read-panel.ts';
import type { ReadingDeps } from '#domain/use-cases/read-variables.ts';
import { ok, withReadings } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import { etagOf } from '#http/etag.ts';
import type { ApiHandler } from '#http/event.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import type { Log } from '#http/log.ts';
import { itemStateToJson, panelToJson } from '#http/serialize.ts';

interface Deps extends ReadingDeps {
	readonly log: Log;
	readonly store: SchemaStore;
	readonly now: () => number;
}

/** GET /bombs: the pump-station panel, with what each item shows now. */
export function createHandler(deps: Deps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema, database } = callerOf(event);
		const row = await getPanel(deps.store, schema);
		const states = await readPanel(deps, schema, { database, now: deps.now() }, row.panel);
		const body = { data: panelToJson(row, (item) => itemStateToJson(states.get(item))) };
		return withReadings(states.values(), ok(body, etagOf(row)));
	});
}
