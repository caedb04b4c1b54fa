import { parse } from '../../shared/domain/parse.ts';
import { credentialsSchema, type SignInDeps, signIn } from '../../shared/domain/sign-in/sign-in.ts';
import { ok } from '../../shared/http/answer.ts';
import type { ApiHandler } from '../../shared/http/event.ts';
import { handle } from '../../shared/http/handle.ts';
import type { Log } from '../../shared/http/log.ts';
import { bodyOf, sourceOf } from '../../shared/http/request.ts';

/** POST /loginSso: identity-provider credentials for a service token. */
export const createHandler = (deps: SignInDeps & { readonly log: Log; readonly now: () => number }): ApiHandler =>
	handle(deps.log, async (event) => {
		const credentials = parse(credentialsSchema, bodyOf(event));
		const { token, user } = await signIn(deps, credentials, sourceOf(event), deps.now());
		const { id, email, firstName, lastName } = user;
		return ok({ token, user: { id, email, first_name: firstName, last_name: lastName } });
	});
