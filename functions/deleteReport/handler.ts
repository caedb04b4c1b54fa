import { boardDeleter } from '#http/board-handlers.ts';

/** POST /deleteReport/{id}: deletes a report. Its stored days stay, for when it is restored. */
export const createHandler = boardDeleter('report');
