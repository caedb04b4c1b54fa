import { type BoardWriteDeps, saveBoardOf } from '#http/board-handlers.ts';
import type { ApiHandler } from '#http/event.ts';

/** POST /saveAlarm: creates (id 0) or updates an alarm. */
export function createHandler(deps: BoardWriteDeps): ApiHandler {
	return saveBoardOf('alarm', deps);
}
