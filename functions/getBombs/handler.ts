import { getPanel } from '../../shared/domain/panel/get-panel.ts';
import type { SchemaStore } from '../../shared/domain/ports/schema-store.ts';
import { readPanel } from '../../shared/domain/reading/read-panel.ts';
import type { ReadingDeps } from '../../shared/domain/reading/read-variables.ts';
import { ok, withReadings } from '../../shared/http/answer.ts';
import { callerOf } from '../../shared/http/caller.ts';
import type { ApiHandler } from '../../shared/http/event.ts';
import { handle } from '../../shared/http/handle.ts';
import { etagOf } from '../../shared/http/if-match.ts';
import type { Log } from '../../shared/http/log.ts';
import { itemStateToWire, panelToWire } from '../../shared/http/wire.ts';

interface Deps extends ReadingDeps {
	readonly log: Log;
	readonly store: SchemaStore;
	readonly now: () => number;
}

/** GET /bombs: the pump-station panel, with what each item shows now. */
export const createHandler = (deps: Deps): ApiHandler =>
	handle(deps.log, async (event) => {
		const { schema, database } = callerOf(event);
		const row = await getPanel(deps.store, schema);
		const states = await readPanel(deps, schema, { database, now: deps.now() }, row.panel);
		const body = { data: panelToWire(row, (item) => itemStateToWire(states.get(item))) };
		return withReadings(states.values(), ok(body, etagOf(row)));
	});
