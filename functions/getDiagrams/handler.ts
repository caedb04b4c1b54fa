import type { SchemaStore } from '../../shared/domain/ports/schema-store.ts';
import { listBoards } from '../../shared/http/board-handlers.ts';
import type { ApiHandler } from '../../shared/http/event.ts';
import type { Log } from '../../shared/http/log.ts';

/** GET /getDiagrams: every diagram of the caller's schema, by ascending id. */
export const createHandler = (deps: { readonly log: Log; readonly store: SchemaStore }): ApiHandler =>
	listBoards('diagram', deps);
