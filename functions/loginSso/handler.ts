import { credentialsSchema, type SignInDeps, signIn } from '#domain/use-cases/sign-in.ts';
import { parse } from '#domain/validation/parse.ts';
import { ok } from '#http/api-response.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { bodyOf, sourceOf } from '#http/request.ts';

/** POST /loginSso: exchanges credentials of the identity provider for a token of the service. */
export function createHandler(deps: HandlerDeps & SignInDeps & { readonly now: () => number }): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const credentials = parse(credentialsSchema, bodyOf(event));
		const { token, user } = await signIn(deps, credentials, sourceOf(event), deps.now());
		const { id, email, firstName, lastName } = user;
		return ok({ token, user: { id, email, first_name: firstName, last_name: lastName } });
	});
}
