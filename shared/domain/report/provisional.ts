import { hourMs } from '../milliseconds.ts';

/** For how long after its end a day is provisional, in milliseconds. Then it is sealed. */
export const provisionalMs = 72 * hourMs;
