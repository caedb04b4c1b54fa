import { DomainError } from '#domain/errors.ts';
import { interactiveProvider, redirectAddress } from '#domain/identity/provider-settings.ts';
import type { OpenIdProviders } from '#domain/ports/openid-providers.ts';
import { ok } from '#http/api-response.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';

/** The dependencies of `openIdProvider`. */
export interface OpenIdProviderDeps extends HandlerDeps {
	readonly openId: Pick<OpenIdProviders, 'providers' | 'authorization'>;
	readonly consoleUrl: string;
}

/** GET /openIdProvider?name=…: returns what the page needs to send a person to a provider. */
export function createHandler({ log, openId, consoleUrl }: OpenIdProviderDeps): ApiHandler {
	return createLambdaHandler(log, async (event) => {
		const provider = interactiveProvider(openId.providers, event.queryStringParameters?.name ?? '');
		if (provider === null) throw new DomainError('no_such_provider', {});
		const { issuer, clientId, scopes: scope, parameters } = provider;
		const redirectUri = redirectAddress(provider, consoleUrl);
		return ok({ data: { ...(await openId.authorization(provider)), issuer, clientId, scope, parameters, redirectUri } });
	});
}
