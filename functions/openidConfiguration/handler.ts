import { ok, publicForAnHour } from '#http/api-response.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { exchangeGrantType } from '#http/token-exchange.ts';
import { pathOf } from '#shared/contract.ts';

/** The dependencies of `openidConfiguration`. */
export interface DiscoveryDeps extends HandlerDeps {
	/** The issuer that tokens name, with the documents below it. */
	readonly issuer: string;
	/** The address of the service; null: it is not known here, and the document names no token endpoint. */
	readonly serviceUrl: string | null;
	/** Whether tokens of OpenID providers are exchanged. */
	readonly exchangesTokens: boolean;
}

/**
 * GET /.well-known/openid-configuration: returns the document from which API Gateway's authorizer learns where the public keys are, and OAuth
 * clients where tokens are (OpenID Connect Discovery 1.0, RFC 8414).
 */
export function createHandler({ log, issuer, serviceUrl, exchangesTokens }: DiscoveryDeps): ApiHandler {
	const document = {
		issuer,
		jwks_uri: `${issuer}${pathOf('jwks')}`,
		...(serviceUrl !== null && {
			token_endpoint: `${serviceUrl}${pathOf('token')}`,
			grant_types_supported: ['client_credentials', ...(exchangesTokens ? [exchangeGrantType] : [])],
			token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
		}),
		response_types_supported: ['token'],
		subject_types_supported: ['public'],
		id_token_signing_alg_values_supported: ['RS256'],
	};
	return createLambdaHandler(log, async () => ok(document, publicForAnHour));
}
