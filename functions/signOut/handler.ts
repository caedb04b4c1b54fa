import { type SignOutDeps, signOut } from '#domain/use-cases/sign-out-openid.ts';
import { ok } from '#http/api-response.ts';
import { sidOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { checkBody } from '#http/request.ts';

/** POST /signOut: ends the session of the token. A token without a session of an OpenID provider has nothing to end. */
export function createHandler(deps: HandlerDeps & SignOutDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		checkBody(event);
		const sid = sidOf(event);
		return ok({ address: sid === null ? null : await signOut(deps, sid) });
	});
}
