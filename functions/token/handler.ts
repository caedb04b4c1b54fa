import { type MachineSignInDeps, signInMachine } from '#domain/use-cases/sign-in-machine.ts';
import { clientCredentialsOf, tokenResponse } from '#http/client-credentials.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';

/** The dependencies of `token`. */
export interface TokenDeps extends HandlerDeps, MachineSignInDeps {
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** POST /token: exchanges the credentials of a machine for a token (OAuth 2.0, client credentials). */
export function createHandler(deps: TokenDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const sent = clientCredentialsOf(event);
		return tokenResponse('error' in sent ? sent : await signInMachine(deps, sent, deps.now()));
	});
}
