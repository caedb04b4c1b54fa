import { boardDeleter } from '#http/board-handlers.ts';

/** POST /deleteCorrection/{id}: deletes a correction. The totals are again what they were without it. */
export const createHandler = boardDeleter('correction');
