import { type BoardWriteDeps, deleteBoardOf } from '../../shared/http/board-handlers.ts';
import type { ApiHandler } from '../../shared/http/event.ts';

/** POST /deleteChart/{id}: deletes a chart. */
export const createHandler = (deps: BoardWriteDeps): ApiHandler => deleteBoardOf('chart', deps);
