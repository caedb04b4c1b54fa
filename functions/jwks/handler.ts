import type { PublicKeys } from '#domain/ports/token-signer.ts';
import { ok } from '#http/api-response.ts';
import type { ApiHandler } from '#http/event.ts';
import { documentHeaders } from '#http/issuer-documents.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import type { Log } from '#http/log.ts';

/** No answer that anyone would cache: an authorizer that did would refuse the first tokens for two hours. */
const notYet = {
	status: 503,
	body: { request: { message: 'No key is published yet: npm run key -- publish NAME, then activate NAME.' } },
	headers: { 'retry-after': '5' },
};

/** GET /.well-known/jwks.json: the public keys that tokens are checked with (RFC 7517). */
export function createHandler(deps: { readonly log: Log; readonly publicKeys: PublicKeys }): ApiHandler {
	return createLambdaHandler(deps.log, async () => {
		const keys = await deps.publicKeys.published();
		return keys.length === 0 ? notYet : ok({ keys }, documentHeaders);
	});
}
