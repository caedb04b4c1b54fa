import { boardSaver } from '#http/board-handlers.ts';
import { sentDiagramSchema } from '#http/sent-diagram.ts';

/** POST /saveDiagram: creates (id 0) or updates a diagram. */
export const createHandler = boardSaver('diagram', { schema: sentDiagramSchema });
