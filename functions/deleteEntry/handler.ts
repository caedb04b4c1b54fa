import { boardDeleter } from '#http/board-handlers.ts';

/** POST /deleteEntry/{id}: deletes an entry. Its months have no number again. */
export const createHandler = boardDeleter('entry');
