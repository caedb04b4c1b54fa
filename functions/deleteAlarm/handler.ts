import { boardDeleter } from '#http/board-handlers.ts';

/** POST /deleteAlarm/{id}: deletes an alarm. */
export const createHandler = boardDeleter('alarm');
