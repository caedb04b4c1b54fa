import { newPasswordSchema, type SetPasswordDeps, setPassword } from '#domain/use-cases/set-password.ts';
import { ok } from '#http/api-response.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { bodyOf } from '#http/request.ts';
import { parseSent } from '#http/sent-input.ts';

/** The dependencies of `setPassword`. */
export interface NewPasswordDeps extends HandlerDeps, SetPasswordDeps {
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** POST /setPassword: sets the password of an account by a link that is used once. On one machine only. */
export function createHandler(deps: NewPasswordDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const sent = parseSent(newPasswordSchema, bodyOf(event));
		return ok({ email: await setPassword(deps, sent, deps.now()) });
	});
}
