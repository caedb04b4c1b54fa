import { type BoardWriteDeps, deleteBoardOf } from '#http/board-handlers.ts';
import type { ApiHandler } from '#http/event.ts';

/** POST /deleteAlarm/{id}: deletes an alarm. */
export function createHandler(deps: BoardWriteDeps): ApiHandler {
	return deleteBoardOf('alarm', deps);
}
