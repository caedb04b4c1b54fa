import { dayMs, minuteMs } from '../milliseconds.ts';
import type { Calendar } from './bounds.ts';
import { instantOf, localTimeAt } from './local-time.ts';
import { openTimeZone } from './time-zone.ts';

/** Returns the calendar of a report, or of one of its days. */
export function calendarOf({ timeZone, dayStart }: { readonly timeZone: string; readonly dayStart: string }): Calendar {
	const zone = openTimeZone(timeZone);
	if (zone === null) throw new RangeError('A parsed report has a time zone.');
	return { zone, dayStartMs: timeOfDayMs(dayStart) };
}

/**
 * Returns when the day of an instant begins (epoch milliseconds), or the day `daysLater` after it; a negative number means earlier. A
 * day that the clocks skipped begins when the next day does.
 */
export function startOfDay(time: number, calendar: Calendar, { daysLater = 0 } = {}): number {
	return instantOf(dayMs * (dayNumber(time, calendar) + daysLater) + calendar.dayStartMs, calendar.zone);
}

/** Returns the local date on which the day of an instant begins: `2026-11-20`. */
export function dateOfDay(time: number, calendar: Calendar): string {
	return new Date(dayMs * dayNumber(time, calendar)).toISOString().slice(0, 10);
}

/**
 * Returns when the day of a local date begins.
 * @param date such as `2026-11-20`
 */
export function startOfDate(date: string, { zone, dayStartMs }: Calendar): number {
	return instantOf(Date.parse(`${date}T00:00:00Z`) + dayStartMs, zone);
}

/** Returns the milliseconds from midnight to a time of day such as `06:30`. */
export function timeOfDayMs(text: string): number {
	const [hours, minutes] = text.split(':').map(Number);
	return (60 * (hours ?? 0) + (minutes ?? 0)) * minuteMs;
}

/**
 * Counts local days from 1970-01-01. A start that the clock skips is later than its clock time says, and of one that occurs twice the first
 * counts: the day of a time is the one that it lies in.
 */
function dayNumber(time: number, { zone, dayStartMs }: Calendar): number {
	const day = Math.floor((localTimeAt(time, zone) - dayStartMs) / dayMs);
	const startOf = (number: number): number => instantOf(dayMs * number + dayStartMs, zone);
	if (startOf(day) > time) return day - 1;
	return startOf(day + 1) <= time ? day + 1 : day;
}
