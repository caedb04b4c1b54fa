import { boardSaver } from '#http/board-handlers.ts';

/** POST /saveAlarm: creates (id 0) or updates an alarm. */
export const createHandler = boardSaver('alarm');
