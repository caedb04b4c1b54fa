import { type BoardWriteDeps, saveBoardOf } from '#http/board-handlers.ts';
import type { ApiHandler } from '#http/event.ts';

/** POST /saveDiagram: creates (id 0) or updates a diagram. */
export function createHandler(deps: BoardWriteDeps): ApiHandler {
	return saveBoardOf('diagram', deps);
}
