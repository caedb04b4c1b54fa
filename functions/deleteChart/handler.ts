import { type BoardWriteDeps, deleteBoardOf } from '#http/board-handlers.ts';
import type { ApiHandler } from '#http/event.ts';

/** POST /deleteChart/{id}: deletes a chart. */
export function createHandler(deps: BoardWriteDeps): ApiHandler {
	return deleteBoardOf('chart', deps);
}
