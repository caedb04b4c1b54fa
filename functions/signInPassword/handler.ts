import { DomainError } from '#domain/errors.ts';
import { accountsProvider } from '#domain/identity/account.ts';
import type { SessionJournal } from '#domain/ports/session-journal.ts';
import { type PasswordSignInDeps, passwordSignInSchema, signInPassword } from '#domain/use-cases/sign-in-password.ts';
import { sessionTeller } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { openIdResponse } from '#http/openid-response.ts';
import { bodyOf } from '#http/request.ts';
import { parseSent } from '#http/sent-input.ts';
import { sourceOf, type TrustedProxy } from '#http/trusted-proxy.ts';

/** The dependencies of `signInPassword`. */
export interface PasswordLoginDeps extends HandlerDeps, Omit<PasswordSignInDeps, 'tell'> {
	readonly sessions: SessionJournal;
	/** Null: clients call the gateway themselves. */
	readonly trustedProxy: TrustedProxy | null;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** POST /signInPassword: exchanges the password of an account for a token of the service. On one machine only. */
export function createHandler(deps: PasswordLoginDeps): ApiHandler {
	const { log } = deps;
	return createLambdaHandler(log, async (event) => {
		const sent = parseSent(passwordSignInSchema, bodyOf(event));
		const source = await sourceOf(event, deps.trustedProxy);
		try {
			return openIdResponse(
				await signInPassword({ ...deps, tell: sessionTeller(deps.sessions, event) }, sent, source, deps.now()),
			);
		} catch (error) {
			// Who it was stands in the journal, and in no log.
			if (error instanceof DomainError && ['password_refused', 'code_refused'].includes(error.code))
				log.info('A sign-in with an account was refused.', { provider: accountsProvider, code: error.code });
			throw error;
		}
	});
}
