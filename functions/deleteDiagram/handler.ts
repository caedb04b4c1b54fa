import { type BoardWriteDeps, deleteBoardOf } from '#http/board-handlers.ts';
import type { ApiHandler } from '#http/event.ts';

/** POST /deleteDiagram/{id}: deletes a diagram. */
export function createHandler(deps: BoardWriteDeps): ApiHandler {
	return deleteBoardOf('diagram', deps);
}
