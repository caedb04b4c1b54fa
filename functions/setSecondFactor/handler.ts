import { DomainError } from '#domain/errors.ts';
import { accountsProvider } from '#domain/identity/account.ts';
import type { SessionJournal } from '#domain/ports/session-journal.ts';
import { type SecondFactorSetDeps, secondFactorSchema, setSecondFactor } from '#domain/use-cases/sign-in-password.ts';
import { ok } from '#http/api-response.ts';
import { sessionTeller } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { bodyOf } from '#http/request.ts';
import { parseSent } from '#http/sent-input.ts';
import { sourceOf, type TrustedProxy } from '#http/trusted-proxy.ts';

/** The dependencies of `setSecondFactor`. */
export interface SecondFactorDeps extends HandlerDeps, Omit<SecondFactorSetDeps, 'tell'> {
	readonly sessions: SessionJournal;
	/** Null: clients call the gateway themselves. */
	readonly trustedProxy: TrustedProxy | null;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

const refusals: ReadonlySet<string> = new Set(['password_refused', 'code_refused', 'second_factor_late']);

/** POST /setSecondFactor: offers a secret for an authenticator app, or sets it. On one machine only. */
export function createHandler(deps: SecondFactorDeps): ApiHandler {
	const { log } = deps;
	return createLambdaHandler(log, async (event) => {
		const sent = parseSent(secondFactorSchema, bodyOf(event));
		const source = await sourceOf(event, deps.trustedProxy);
		try {
			const offered = await setSecondFactor({ ...deps, tell: sessionTeller(deps.sessions, event) }, sent, source, deps.now());
			if (offered.recoveryCodes !== null) log.info('An account has a second factor now.', { provider: accountsProvider });
			return ok(offered);
		} catch (error) {
			// Who it was stands in the journal, and in no log.
			if (error instanceof DomainError && refusals.has(error.code))
				log.info('A second factor was refused.', { provider: accountsProvider, code: error.code });
			throw error;
		}
	});
}
