import { credentialsSchema, type SignInDeps, signIn } from '#domain/use-cases/sign-in.ts';
import { parse } from '#domain/validation/parse.ts';
import { ok } from '#http/api-response.ts';
import type { ApiHandler } from '#http/event.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import type { Log } from '#http/log.ts';
import { bodyOf, sourceOf } from '#http/request.ts';

/** POST /loginSso: identity-provider credentials for a service token. */
export function createHandler(deps: SignInDeps & { readonly log: Log; readonly now: () => number }): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const credentials = parse(credentialsSchema, bodyOf(event));
		const { token, user } = await signIn(deps, credentials, sourceOf(event), deps.now());
		const { id, email, firstName, lastName } = user;
		return ok({ token, user: { id, email, first_name: firstName, last_name: lastName } });
	});
}
