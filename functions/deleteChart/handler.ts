import { boardDeleter } from '#http/board-handlers.ts';

/** POST /deleteChart/{id}: deletes a chart. */
export const createHandler = boardDeleter('chart');
