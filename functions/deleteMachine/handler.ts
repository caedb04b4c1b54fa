import { deleteMachine } from '#domain/use-cases/save-machine.ts';
import { createRoleHandler } from '#http/admission.ts';
import { ok } from '#http/api-response.ts';
import { callerOf, changeOriginOf } from '#http/caller.ts';
import { ifMatchOf } from '#http/etag.ts';
import type { ApiHandler } from '#http/event.ts';
import type { MachineHandlerDeps } from '#http/handler-deps.ts';
import { checkBody, pathTextOf, refuseDryRun } from '#http/request.ts';

/**
 * POST /deleteMachine/{clientId}: deletes a machine of the caller's schema, and returns whether there was one. From then on its tokens can
 * change nothing; they can read until they expire. A retry deletes nothing more, so no idempotency key is needed.
 */
export function createHandler(deps: MachineHandlerDeps): ApiHandler {
	return createRoleHandler(deps, async (event) => {
		const { schema } = callerOf(event);
		const clientId = pathTextOf(event, 'clientId');
		const match = ifMatchOf(event);
		checkBody(event);
		refuseDryRun(event);
		return ok({ data: { machine: await deleteMachine({ ...deps, origin: changeOriginOf(event) }, schema, clientId, match) } });
	});
}
