import type { SessionJournal } from '#domain/ports/session-journal.ts';
import { type MachineSignInDeps, signInMachine } from '#domain/use-cases/sign-in-machine.ts';
import { sessionTeller } from '#http/caller.ts';
import { clientCredentialsOf, tokenResponse } from '#http/client-credentials.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { sourceOf, type TrustedProxy } from '#http/trusted-proxy.ts';

/** The dependencies of `token`. */
export interface TokenDeps extends HandlerDeps, Omit<MachineSignInDeps, 'tell'> {
	readonly sessions: SessionJournal;
	/** Null: clients call the gateway themselves. */
	readonly trustedProxy: TrustedProxy | null;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** POST /token: exchanges the credentials of a machine for a token (OAuth 2.0, client credentials). */
export function createHandler(deps: TokenDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const sent = clientCredentialsOf(event);
		if ('error' in sent) return tokenResponse(sent);
		const source = await sourceOf(event, deps.trustedProxy);
		return tokenResponse(await signInMachine({ ...deps, tell: sessionTeller(deps.sessions, event) }, sent, source, deps.now()));
	});
}
