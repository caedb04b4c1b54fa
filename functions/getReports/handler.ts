import { boardLister } from '#http/board-handlers.ts';

/** GET /getReports: lists the reports. */
export const createHandler = boardLister('report');
