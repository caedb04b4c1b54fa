import { type BoardWriteDeps, saveBoardOf } from '#http/board-handlers.ts';
import type { ApiHandler } from '#http/event.ts';

/** POST /saveAlarm: creates (id 0) or updates an alarm. */
export const createHandler = (deps: BoardWriteDeps): ApiHandler => saveBoardOf('alarm', deps);
