import { deleteVariable, previewDeletion } from '#domain/use-cases/delete-variable.ts';
import { createRoleHandler } from '#http/admission.ts';
import { ok } from '#http/api-response.ts';
import { callerOf, changeOriginOf } from '#http/caller.ts';
import { ifMatchOf } from '#http/etag.ts';
import type { ApiHandler } from '#http/event.ts';
import type { WriteHandlerDeps } from '#http/handler-deps.ts';
import { checkIdempotencyKey, idempotent } from '#http/idempotent.ts';
import { checkBody, isDryRun, pathIdOf } from '#http/request.ts';

/** POST /deleteVar/{id}: deletes a variable. With ?dryRun=1 it returns whether the variable exists and its usages, and deletes nothing. */
export function createHandler(deps: WriteHandlerDeps): ApiHandler {
	return createRoleHandler(deps, async (event) => {
		const { schema } = callerOf(event);
		const id = pathIdOf(event);
		const match = ifMatchOf(event);
		checkBody(event);
		if (!isDryRun(event))
			return idempotent<boolean>(
				deps,
				event,
				(createRecord) => deleteVariable({ ...deps, origin: changeOriginOf(event) }, schema, id, match, createRecord),
				(tsdbVar) => ok({ data: { tsdbVar } }),
			);
		checkIdempotencyKey(event);
		const { exists, usages } = await previewDeletion(deps.store, schema, id, match);
		return ok({ data: { tsdbVar: exists, usages } });
	});
}
