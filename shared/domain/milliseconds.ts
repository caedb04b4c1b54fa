/** A second in milliseconds. */
export const secondMs = 1000;

/** A minute in milliseconds. */
export const minuteMs = 60 * secondMs;

/** An hour in milliseconds. */
export const hourMs = 60 * minuteMs;

/** A day of 24 hours in milliseconds. The days of a time zone also have 23 or 25 hours: calendar/time-zone.ts. */
export const dayMs = 24 * hourMs;
