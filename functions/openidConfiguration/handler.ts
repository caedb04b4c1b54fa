import { ok } from '#http/api-response.ts';
import type { ApiHandler } from '#http/event.ts';
import { discoveryOf, documentHeaders } from '#http/issuer-documents.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import type { Log } from '#http/log.ts';

/** GET /.well-known/openid-configuration: the issuer's discovery document. */
export function createHandler(deps: { readonly log: Log; readonly issuer: string }): ApiHandler {
	return createLambdaHandler(deps.log, async () => ok(discoveryOf(deps.issuer), documentHeaders));
}
