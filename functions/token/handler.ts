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
			return exchangeResponse(await exchangeToken({ ...exchange, tell }, asked, source, deps.now()));
		}
		const sent = clientCredentialsOf(event);
		if ('error' in sent) return tokenResponse(sent);
		const source = await sourceOf(event, deps.trustedProxy);
		return tokenResponse(await signInMachine({ ...deps, tell }, sent, source, deps.now()));
	});
}
