import type { Metrics } from '#domain/ports/metrics.ts';
import type { SessionJournal } from '#domain/ports/session-journal.ts';
import { credentialsSchema, type SignInDeps, signIn } from '#domain/use-cases/sign-in.ts';
import { sessionTeller } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { bodyOf } from '#http/request.ts';
import { parseSent } from '#http/sent-input.ts';
import { sessionResponse } from '#http/session-response.ts';
import { tenantRefusalReporter } from '#http/tenant-refusals.ts';
import { sourceOf, type TrustedProxy } from '#http/trusted-proxy.ts';

/** The dependencies of `loginSso`. */
export interface LoginDeps extends HandlerDeps, Omit<SignInDeps, 'reportTenantRefusal' | 'tell'> {
	readonly sessions: SessionJournal;
	readonly metrics: Pick<Metrics, 'count'>;
	/** Null: clients call the gateway themselves. */
	readonly trustedProxy: TrustedProxy | null;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** POST /loginSso: exchanges credentials of the identity provider for a token of the service. */
export function createHandler(deps: LoginDeps): ApiHandler {
	const signInDeps = { ...deps, reportTenantRefusal: tenantRefusalReporter(deps) };
	return createLambdaHandler(deps.log, async (event) => {
		const credentials = parseSent(credentialsSchema, bodyOf(event));
		const source = await sourceOf(event, deps.trustedProxy);
		return sessionResponse(
			await signIn({ ...signInDeps, tell: sessionTeller(deps.sessions, event) }, credentials, source, deps.now()),
		);
	});
}
