import { boardSaver } from '#http/board-handlers.ts';

/** POST /saveChart: creates (id 0) or updates a chart. */
export const createHandler = boardSaver('chart');
