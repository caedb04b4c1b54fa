import type { WriteDeps } from '#domain/transaction/run-transaction.ts';
import { deleteVariable, previewDeletion } from '#domain/use-cases/delete-variable.ts';
import { ok } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import { ifMatchOf } from '#http/etag.ts';
import type { ApiHandler } from '#http/event.ts';
import { type IdempotentDeps, idempotent } from '#http/idempotent.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import type { Log } from '#http/log.ts';
import { isDryRun, optionalBodyOf, pathIdOf } from '#http/request.ts';

/** POST /deleteVar/{id}: deletes a variable; with ?dryRun=1 only says whether it is there and what refers to it. */
export function createHandler(deps: WriteDeps & IdempotentDeps & { readonly log: Log }): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const caller = callerOf(event);
		const { schema } = caller;
		const id = pathIdOf(event);
		const match = ifMatchOf(event);
		optionalBodyOf(event);
		if (!isDryRun(event))
			return idempotent<boolean>(
				deps,
				event,
				caller,
				(receipted) => deleteVariable(deps, schema, id, match, receipted),
				(tsdbVar) => ok({ data: { tsdbVar } }),
			);
		const { exists, usages } = await previewDeletion(deps.store, schema, id, match);
		return ok({ data: { tsdbVar: exists, usages } });
	});
}
