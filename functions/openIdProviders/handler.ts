import { isInteractive, type OpenIdProvider } from '#domain/identity/provider-settings.ts';
import type { Accounts } from '#domain/ports/accounts.ts';
import { ok } from '#http/api-response.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';

/** The dependencies of `openIdProviders`. */
export interface OpenIdProvidersDeps extends HandlerDeps {
	readonly providers: readonly OpenIdProvider[];
	/** Whether people may sign in by `loginSso`, too. */
	readonly credentials: boolean;
	/** The service's own accounts; null: there are none. */
	readonly accounts: Pick<Accounts, 'find'> | null;
	/** Null: nobody signs in by a button. */
	readonly consoleUrl: string | null;
}

/** GET /openIdProviders: returns the ways to sign in. It asks no provider, so one that is down hides no other. */
export function createHandler({ log, providers, credentials, accounts, consoleUrl }: OpenIdProvidersDeps): ApiHandler {
	const buttons = providers.filter(isInteractive).map(({ name, label }) => ({ name, label }));
	return createLambdaHandler(log, async () =>
		ok({ data: { credentials, accounts: accounts !== null, consoleUrl, providers: buttons } }),
	);
}
