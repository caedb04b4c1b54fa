import type { PublicKeys } from '../../shared/domain/ports/token-signer.ts';
import { ok } from '../../shared/http/answer.ts';
import type { ApiHandler } from '../../shared/http/event.ts';
import { handle } from '../../shared/http/handle.ts';
import { documentHeaders } from '../../shared/http/issuer-documents.ts';
import type { Log } from '../../shared/http/log.ts';

/** GET /.well-known/jwks.json: the public keys that tokens are checked with (RFC 7517). */
export const createHandler = (deps: { readonly log: Log; readonly publicKeys: PublicKeys }): ApiHandler =>
	handle(deps.log, async () => ok({ keys: await deps.publicKeys.published() }, documentHeaders));
