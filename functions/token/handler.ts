import type { Metrics } from '#domain/ports/metrics.ts';
import type { SessionJournal } from '#domain/ports/session-journal.ts';
import { type ExchangeTokenDeps, exchangeToken } from '#domain/use-cases/exchange-token.ts';
import { type MachineSignInDeps, signInMachine } from '#domain/use-cases/sign-in-machine.ts';
import { sessionTeller } from '#http/caller.ts';
import { clientCredentialsOf, tokenResponse } from '#http/client-credentials.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { exchangeResponse, tokenExchangeOf } from '#http/token-exchange.ts';
import { sourceOf, type TrustedProxy } from '#http/trusted-proxy.ts';

/** The dependencies of `token`. */
export interface TokenDeps extends HandlerDeps, Omit<MachineSignInDeps, 'tell'> {
	readonly sessions: SessionJournal;
	readonly metrics: Pick<Metrics, 'count'>;
	/** Null: no provider's tokens are exchanged. */
	readonly exchange: Omit<ExchangeTokenDeps, 'tell'> | null;
	/** Null: clients call the gateway themselves. */
	readonly trustedProxy: TrustedProxy | null;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** POST /token: exchanges the credentials of a machine (OAuth 2.0, client credentials), or the token of a provider (RFC 8693), for a token. */
export function createHandler(deps: TokenDeps): ApiHandler {
	const { exchange } = deps;
	return createLambdaHandler(deps.log, async (event) => {
		const tell = sessionTeller(deps.sessions, event);
		const asked = exchange === null ? null : tokenExchangeOf(event);
		if (exchange !== null && asked !== null) {
			if ('error' in asked) return exchangeResponse(asked);
			const source = await sourceOf(event, deps.trustedProxy);
			const exchanged = await exchangeToken({ ...exchange, tell }, asked, source, deps.now());
			if ('error' in exchanged) {
				deps.metrics.count('OpenIdRefusals');
				deps.log.info('The exchange of a token was refused.', { ...exchanged });
			}
			return exchangeResponse(exchanged);
		}
		const sent = clientCredentialsOf(event);
		if ('error' in sent) return tokenResponse(sent);
		const source = await sourceOf(event, deps.trustedProxy);
		return tokenResponse(await signInMachine({ ...deps, tell }, sent, source, deps.now()));
	});
}
