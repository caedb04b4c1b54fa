import { type BoardWriteDeps, deleteBoardOf } from '#http/board-handlers.ts';
import type { ApiHandler } from '#http/event.ts';

/** POST /deleteChart/{id}: deletes a chart. */
export const createHandler = (deps: BoardWriteDeps): ApiHandler => deleteBoardOf('chart', deps);
