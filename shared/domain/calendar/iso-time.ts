import * as v from 'valibot';

/** The last instant that a date can tell, and before 1970 as far away the first, in epoch milliseconds (ECMAScript, section 21.4.1.1). */
const maxTime = 8.64e15;

/** A time of a stored row in epoch milliseconds, which `isoTime` can return. */
export const storedTimeSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(-maxTime), v.maxValue(maxTime));

/** Returns an instant as ISO-8601 in UTC: `2026-11-20T10:00:00.000Z`. @param time epoch milliseconds */
export function isoTime(time: number): string {
	return new Date(time).toISOString();
}
