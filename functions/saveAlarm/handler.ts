import { type BoardWriteDeps, saveBoardOf } from '../../shared/http/board-handlers.ts';
import type { ApiHandler } from '../../shared/http/event.ts';

/** POST /saveAlarm: creates (id 0) or updates an alarm. */
export const createHandler = (deps: BoardWriteDeps): ApiHandler => saveBoardOf('alarm', deps);
