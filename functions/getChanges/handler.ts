import { mayAct } from '#domain/access/role.ts';
import { roleOfCaller } from '#http/admission.ts';
import { callerOf } from '#http/caller.ts';
import { changePageResponse, changeQuestionOf } from '#http/change-page.ts';
import type { ApiHandler } from '#http/event.ts';
import type { ChangesHandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';

/**
 * GET /changes: returns a page of the journal of changes, newest first. Only administrators get the entries of people, machines and
 * sessions.
 */
export function createHandler(deps: ChangesHandlerDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema } = callerOf(event);
		const readsAccess = mayAct(await roleOfCaller(event, deps), 'administrator');
		const question = changeQuestionOf(event, { readsAccess, now: deps.now() });
		return changePageResponse(question, await deps.changes.page(schema, question.read));
	});
}
