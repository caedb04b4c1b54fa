import { ok } from '../../shared/http/answer.ts';
import type { ApiHandler } from '../../shared/http/event.ts';
import { handle } from '../../shared/http/handle.ts';
import { discoveryOf, documentHeaders } from '../../shared/http/issuer-documents.ts';
import type { Log } from '../../shared/http/log.ts';

/** GET /.well-known/openid-configuration: the issuer's discovery document. */
export const createHandler = (deps: { readonly log: Log; readonly issuer: string }): ApiHandler =>
	handle(deps.log, async () => ok(discoveryOf(deps.issuer), documentHeaders));
