import type { SessionIds } from '#domain/ports/openid-sessions.ts';
import type { People } from '#domain/ports/people.ts';
import { personSchema, savePerson } from '#domain/use-cases/save-person.ts';
import { createRoleHandler } from '#http/admission.ts';
import { ok } from '#http/api-response.ts';
import { callerOf, changeOriginOf, sidOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { RoleHandlerDeps } from '#http/handler-deps.ts';
import { bodyOf, refuseDryRun } from '#http/request.ts';
import { parseSent } from '#http/sent-input.ts';
import { personToJson } from '#http/serialize.ts';

/** The dependencies of `savePerson`. */
export interface SavePersonDeps extends RoleHandlerDeps {
	readonly people: Pick<People, 'setRole'>;
	readonly sessionIds: Pick<SessionIds, 'idOf'>;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** POST /savePerson: sets the role of a person of the caller's schema. A retry is harmless, so it needs no idempotency key. */
export function createHandler(deps: SavePersonDeps): ApiHandler {
	return createRoleHandler(deps, async (event) => {
		const { schema } = callerOf(event);
		refuseDryRun(event);
		const sent = parseSent(personSchema, bodyOf(event));
		const sid = sidOf(event);
		const session = sid === null ? null : deps.sessionIds.idOf(sid);
		const setter = { origin: changeOriginOf(event), at: deps.now(), session };
		return ok({
			data: personToJson(await savePerson(deps.people, schema, sent, setter)),
		});
	});
}
