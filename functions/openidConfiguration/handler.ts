import { ok, publicForAnHour } from '#http/api-response.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { pathOf } from '#shared/contract.ts';

/** GET /.well-known/openid-configuration: returns the document from which API Gateway's authorizer learns where the public keys are (OpenID Connect Discovery 1.0). */
export function createHandler({ log, issuer }: HandlerDeps & { readonly issuer: string }): ApiHandler {
	const document = {
		issuer,
		jwks_uri: `${issuer}${pathOf('jwks')}`,
		response_types_supported: ['token'],
		subject_types_supported: ['public'],
		id_token_signing_alg_values_supported: ['RS256'],
	};
	return createLambdaHandler(log, async () => ok(document, publicForAnHour));
}
