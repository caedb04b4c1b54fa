import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { listBoards } from '#http/board-handlers.ts';
import type { ApiHandler } from '#http/event.ts';
import type { Log } from '#http/log.ts';

/** GET /getCharts: every chart of the caller's schema, by ascending id. */
export function createHandler(deps: { readonly log: Log; readonly store: SchemaStore }): ApiHandler {
	return listBoards('chart', deps);
}
