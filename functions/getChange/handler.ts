import { mayAct } from '#domain/access/role.ts';
import { accessKinds } from '#domain/changes/change-entry.ts';
import { DomainError } from '#domain/errors.ts';
import { readChange } from '#domain/use-cases/read-change.ts';
import { roleOfCaller } from '#http/admission.ts';
import { ok } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import { changeEntryToJson, changeKeyOf, itemVersionToJson } from '#http/change-page.ts';
import type { ApiHandler } from '#http/event.ts';
import type { ChangeHandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';

/** GET /change: returns an entry of the journal of changes with the item before and after it; `after` is left out where it is not known. */
export function createHandler(deps: ChangeHandlerDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema } = callerOf(event);
		const key = changeKeyOf(event);
		// The entries of people, machines and sessions are for administrators only.
		if (accessKinds.includes(key.kind)) {
			const has = await roleOfCaller(event, deps);
			if (!mayAct(has, 'administrator')) throw new DomainError('role_too_low', { needs: 'administrator', has });
		}
		const { entry, before, after } = await readChange(deps, schema, key);
		return ok({
			data: {
				...changeEntryToJson(entry),
				before: before === null ? null : itemVersionToJson(before),
				...(after === undefined ? {} : { after: after === null ? null : itemVersionToJson(after) }),
			},
		});
	});
}
