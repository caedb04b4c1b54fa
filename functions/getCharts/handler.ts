import { boardLister } from '#http/board-handlers.ts';

/** GET /getCharts: lists the charts of the caller's schema by ascending id. */
export const createHandler = boardLister('chart');
