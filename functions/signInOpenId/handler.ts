import { DomainError, type ErrorCode } from '#domain/errors.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { SessionJournal } from '#domain/ports/session-journal.ts';
import { type OpenIdSignInDeps, openIdSignInSchema, signInOpenId } from '#domain/use-cases/sign-in-openid.ts';
import { sessionTeller } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { openIdResponse } from '#http/openid-response.ts';
import { bodyOf } from '#http/request.ts';
import { parseSent } from '#http/sent-input.ts';
import { sourceOf, type TrustedProxy } from '#http/trusted-proxy.ts';

/** The dependencies of `signInOpenId`. */
export interface OpenIdLoginDeps extends HandlerDeps, Omit<OpenIdSignInDeps, 'tell' | 'reportNoRefreshToken'> {
	readonly sessions: SessionJournal;
	readonly metrics: Pick<Metrics, 'count'>;
	/** Null: clients call the gateway themselves. */
	readonly trustedProxy: TrustedProxy | null;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** Refusals that no journal tells: the person has no tenant. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['sign_in_refused', 'no_grant', 'groups_not_in_token']);

/** POST /signInOpenId: exchanges the code of an OpenID provider for a token of the service. */
export function createHandler(deps: OpenIdLoginDeps): ApiHandler {
	const { log, metrics } = deps;
	const reportNoRefreshToken = (provider: string): void =>
		log.info('A provider gave no refresh token, so its sessions end with their first token: see "recheck".', { provider });
	return createLambdaHandler(log, async (event) => {
		const sent = parseSent(openIdSignInSchema, bodyOf(event));
		const source = await sourceOf(event, deps.trustedProxy);
		try {
			const tell = sessionTeller(deps.sessions, event);
			return openIdResponse(await signInOpenId({ ...deps, tell, reportNoRefreshToken }, sent, source, deps.now()));
		} catch (error) {
			if (error instanceof DomainError && refusals.has(error.code)) {
				metrics.count('OpenIdRefusals');
				// The payload may hold what a provider says of a person: only its cause is for the log.
				log.info('A sign-in with an OpenID provider was refused.', { provider: sent.provider, ...reasonOf(error) });
			}
			throw error;
		}
	});
}

function reasonOf({ code, payload }: DomainError): Readonly<Record<string, unknown>> {
	return 'cause' in payload ? { code, cause: payload.cause } : { code };
}
