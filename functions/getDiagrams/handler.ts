import { boardLister } from '#http/board-handlers.ts';

/** GET /getDiagrams: lists the diagrams of the caller's schema by ascending id. */
export const createHandler = boardLister('diagram');
