import { machineSchema, type SaveMachineDeps, saveMachine } from '#domain/use-cases/save-machine.ts';
import { createRoleHandler } from '#http/admission.ts';
import { ok } from '#http/api-response.ts';
import { callerOf, changeOriginOf, ownerOf } from '#http/caller.ts';
import { etagOf, ifMatchOf } from '#http/etag.ts';
import type { ApiHandler } from '#http/event.ts';
import type { MachineHandlerDeps } from '#http/handler-deps.ts';
import { refuseIdempotencyKey } from '#http/idempotent.ts';
import { bodyOf, refuseDryRun } from '#http/request.ts';
import { parseSent } from '#http/sent-input.ts';
import { machineToJson } from '#http/serialize.ts';

/** The dependencies of `saveMachine`. */
export interface SaveMachineHandlerDeps extends MachineHandlerDeps, Pick<SaveMachineDeps, 'secrets'> {}

/**
 * POST /saveMachine: creates a machine or changes one of the caller's schema. The answer holds a new secret, which is never shown again. So the
 * answer is never stored for retries, and an idempotency key is refused.
 */
export function createHandler(deps: SaveMachineHandlerDeps): ApiHandler {
	return createRoleHandler(deps, async (event) => {
		const { schema, database } = callerOf(event);
		const match = ifMatchOf(event);
		refuseDryRun(event);
		refuseIdempotencyKey(event);
		const sent = parseSent(machineSchema, bodyOf(event));
		const tenant = { schema, database, owner: ownerOf(event) };
		const { machine, secret } = await saveMachine({ ...deps, origin: changeOriginOf(event) }, tenant, sent, match);
		return ok({ data: { ...machineToJson(machine), ...(secret === null ? {} : { secret }) } }, etagOf(machine));
	});
}
