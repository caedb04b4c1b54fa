import { DomainError } from '#domain/errors.ts';
import type { PublicKeys } from '#domain/ports/token-signer.ts';
import { ok, publicForAnHour } from '#http/api-response.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';

/** GET /.well-known/jwks.json: returns the public keys that verify tokens (RFC 7517). */
export function createHandler(deps: HandlerDeps & { readonly publicKeys: PublicKeys }): ApiHandler {
	return createLambdaHandler(deps.log, async () => {
		const keys = await deps.publicKeys.published();
		// Authorizers would cache an empty list and refuse tokens for 2 h.
		if (keys.length === 0) throw new DomainError('no_published_key', {});
		return ok({ keys }, publicForAnHour);
	});
}
