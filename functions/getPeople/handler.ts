import type { People } from '#domain/ports/people.ts';
import { createRoleHandler } from '#http/admission.ts';
import { ok } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { RoleHandlerDeps } from '#http/handler-deps.ts';
import { personToJson } from '#http/serialize.ts';

/** The dependencies of `getPeople`. */
export interface GetPeopleDeps extends RoleHandlerDeps {
	readonly people: Pick<People, 'list'>;
}

/** GET /getPeople: lists the people of the caller's schema with their roles, by e-mail. */
export function createHandler(deps: GetPeopleDeps): ApiHandler {
	return createRoleHandler(deps, async (event) => {
		const people = await deps.people.list(callerOf(event).schema);
		return ok({ data: people.map(personToJson) });
	});
}
