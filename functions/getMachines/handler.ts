import type { Machines } from '#domain/ports/machines.ts';
import { createRoleHandler } from '#http/admission.ts';
import { ok } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { RoleHandlerDeps } from '#http/handler-deps.ts';
import { machineToJson } from '#http/serialize.ts';

/** The dependencies of `getMachines`. */
export interface GetMachinesDeps extends RoleHandlerDeps {
	readonly machines: Pick<Machines, 'list'>;
}

/** GET /getMachines: lists the machines of the caller's schema, oldest first. */
export function createHandler(deps: GetMachinesDeps): ApiHandler {
	return createRoleHandler(deps, async (event) => {
		const machines = await deps.machines.list(callerOf(event).schema);
		return ok({ data: machines.toSorted((a, b) => a.createdAt - b.createdAt).map(machineToJson) });
	});
}
