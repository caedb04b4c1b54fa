import { boardLister } from '#http/board-handlers.ts';

/** GET /getCharts: lists the charts of the caller's schema, all by ascending id, a page, or some by id. */
export const createHandler = boardLister('chart');
