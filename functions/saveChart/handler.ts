import { type BoardWriteDeps, saveBoardOf } from '../../shared/http/board-handlers.ts';
import type { ApiHandler } from '../../shared/http/event.ts';

/** POST /saveChart: creates (id 0) or updates a chart. */
export const createHandler = (deps: BoardWriteDeps): ApiHandler => saveBoardOf('chart', deps);
