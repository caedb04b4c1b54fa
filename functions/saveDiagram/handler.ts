import { boardSaver } from '#http/board-handlers.ts';

/** POST /saveDiagram: creates (id 0) or updates a diagram. */
export const createHandler = boardSaver('diagram');
