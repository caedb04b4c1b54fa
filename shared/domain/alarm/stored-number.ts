import * as v from 'valibot';

/** A time of a stored row in epoch milliseconds. */
export const timeSchema = v.pipe(v.number(), v.safeInteger());

/** A count of a stored row, from 0. */
export const countSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
