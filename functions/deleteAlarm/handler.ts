import { type BoardWriteDeps, deleteBoardOf } from '#http/board-handlers.ts';
import type { ApiHandler } from '#http/event.ts';

/** POST /deleteAlarm/{id}: deletes an alarm. */
export const createHandler = (deps: BoardWriteDeps): ApiHandler => deleteBoardOf('alarm', deps);
