import { type BoardWriteDeps, deleteBoardOf } from '../../shared/http/board-handlers.ts';
import type { ApiHandler } from '../../shared/http/event.ts';

/** POST /deleteDiagram/{id}: deletes a diagram. */
export const createHandler = (deps: BoardWriteDeps): ApiHandler => deleteBoardOf('diagram', deps);
