import { boardDeleter } from '#http/board-handlers.ts';

/** POST /deleteDiagram/{id}: deletes a diagram. */
export const createHandler = boardDeleter('diagram');
