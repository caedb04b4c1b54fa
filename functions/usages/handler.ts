import { usagesOf } from '../../shared/domain/decide/usages.ts';
import type { SchemaStore } from '../../shared/domain/ports/schema-store.ts';
import { ok } from '../../shared/http/answer.ts';
import { callerOf } from '../../shared/http/caller.ts';
import type { ApiHandler } from '../../shared/http/event.ts';
import { handle } from '../../shared/http/handle.ts';
import type { Log } from '../../shared/http/log.ts';
import { pathIdOf } from '../../shared/http/request.ts';

/** GET /usages/{id}: what refers to a variable. */
export const createHandler = (deps: { readonly log: Log; readonly store: SchemaStore }): ApiHandler =>
	handle(deps.log, async (event) => {
		const { schema } = callerOf(event);
		return ok({ data: await usagesOf(deps.store, schema, pathIdOf(event)) });
	});
