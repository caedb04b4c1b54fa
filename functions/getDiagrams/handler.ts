import { boardLister } from '#http/board-handlers.ts';

/** GET /getDiagrams: lists the diagrams of the caller's schema, all by ascending id, a page, or some by id. */
export const createHandler = boardLister('diagram');
