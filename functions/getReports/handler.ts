import { boardLister } from '#http/board-handlers.ts';

/** GET /getReports: lists the reports of the caller's schema, all by ascending id, a page, or some by id. */
export const createHandler = boardLister('report');
