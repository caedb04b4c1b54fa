import type { SchemaStore } from '../../shared/domain/ports/schema-store.ts';
import { listVariables } from '../../shared/domain/variable/list-variables.ts';
import { ok } from '../../shared/http/answer.ts';
import { callerOf } from '../../shared/http/caller.ts';
import type { ApiHandler } from '../../shared/http/event.ts';
import { handle } from '../../shared/http/handle.ts';
import type { Log } from '../../shared/http/log.ts';
import { variableToWire } from '../../shared/http/wire.ts';

/** GET /getVarsTsdb: every variable of the caller's schema, by ascending id. */
export const createHandler = (deps: { readonly log: Log; readonly store: SchemaStore }): ApiHandler =>
	handle(deps.log, async (event) => {
		const { schema } = callerOf(event);
		const rows = await listVariables(deps.store, schema);
		return ok({ data: rows.map(variableToWire) });
	});
