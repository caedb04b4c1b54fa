import { ok } from '../../shared/http/answer.ts';
import type { ApiHandler } from '../../shared/http/event.ts';
import { handle } from '../../shared/http/handle.ts';
import type { Log } from '../../shared/http/log.ts';

/** GET /health: whether the service answers; touches no dependency. */
export const createHandler = (deps: { readonly log: Log }): ApiHandler => handle(deps.log, async () => ok({ status: 'ok' }));
