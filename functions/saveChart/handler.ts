import { type BoardWriteDeps, saveBoardOf } from '#http/board-handlers.ts';
import type { ApiHandler } from '#http/event.ts';

/** POST /saveChart: creates (id 0) or updates a chart. */
export function createHandler(deps: BoardWriteDeps): ApiHandler {
	return saveBoardOf('chart', deps);
}
