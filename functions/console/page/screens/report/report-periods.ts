import { boundsOf, type Calendar } from '#domain/calendar/bounds.ts';
import { startOfDate, timeOfDayMs } from '#domain/calendar/days.ts';
import { instantOf, localTimeAt } from '#domain/calendar/local-time.ts';
import { openTimeZone } from '#domain/calendar/time-zone.ts';
import { periodLengths } from '#domain/report/report-period.ts';
import type { StoredReport } from '#page/core/definitions.ts';
import type { ComparedPeriod, ReportView, ViewLength } from './report-view.ts';

/** A day, a week, a month or a year of a report. Times are epoch milliseconds. */
export interface ReportSpan {
	/** The local date on which it begins. */
	readonly date: string;
	readonly start: number;
	readonly end: number;
}

/** The length of a row, by the length of the shown period. */
export const rowLengths = { day: 'hour', week: 'day', month: 'day', year: 'month' } as const satisfies Readonly<
	Record<ViewLength, keyof typeof periodLengths>
>;

const daysPerWeek = 7;

const monthsPerYear = 12;

/** Returns the calendar of a report. A zone that this browser does not know is read as UTC. */
export function shownCalendarOf(report: { readonly timeZone: string; readonly dayStart: string }): Calendar {
	return { zone: openTimeZone(report.timeZone) ?? { name: 'UTC', offsetAt: () => 0 }, dayStartMs: timeOfDayMs(report.dayStart) };
}

/** Returns the calendar of a stored report. Without settings of its own, its days are those of UTC. */
export function storedCalendar({ timeZone, dayStart }: Pick<StoredReport, 'timeZone' | 'dayStart'>): Calendar {
	return shownCalendarOf({ timeZone: timeZone ?? 'UTC', dayStart: dayStart ?? '00:00' });
}

/** Returns the period that contains a local date. */
export function spanAt(length: ViewLength, date: string, calendar: Calendar): ReportSpan {
	const firstDate = beginOf(length, date);
	const nextDate = movedDate(length, firstDate, 1);
	return { date: firstDate, start: startOfDate(firstDate, calendar), end: startOfDate(nextDate, calendar) };
}

/** Returns the first date of the period that lies `steps` periods after the period of a date, or before it if `steps` is negative. */
export function movedDate(length: ViewLength, date: string, steps: number): string {
	const begin = new Date(`${beginOf(length, date)}T00:00:00Z`);
	if (length === 'day' || length === 'week') begin.setUTCDate(begin.getUTCDate() + steps * (length === 'day' ? 1 : daysPerWeek));
	else begin.setUTCMonth(begin.getUTCMonth() + steps * (length === 'month' ? 1 : monthsPerYear));
	return dateText(begin);
}

/** Returns the bounds of all rows of a period, including rows that have not begun. */
export function rowBounds(length: ViewLength, { start, end }: ReportSpan, calendar: Calendar): readonly number[] {
	return boundsOf({ start, stop: end }, periodLengths[rowLengths[length]], calendar);
}

/**
 * Returns the compared period. If the shown period is not over, the compared one is cut to the same length of local time.
 * @returns null without a comparison
 */
export function comparedSpan(
	{ length, comparison }: Pick<ReportView, 'length' | 'comparison'>,
	span: ReportSpan,
	now: number,
	calendar: Calendar,
): ReportSpan | null {
	if (comparison === 'none') return null;
	const other = spanAt(length, comparedDate(length, comparison, span.date), calendar);
	if (span.end <= now) return other;
	const { zone } = calendar;
	const passedMs = localTimeAt(now, zone) - localTimeAt(span.start, zone);
	const end = instantOf(localTimeAt(other.start, zone) + passedMs, zone);
	// A span must not be empty, and a month may be longer than the one it is compared with.
	return { ...other, end: Math.min(other.end, Math.max(end, other.start + 1)) };
}

/**
 * Returns a date in the compared period. The day or week of a year before is 52 weeks earlier, so that the days of the week agree. A shown
 * year would be moved by 52 weeks, too, but it has no comparison `year`: that would be the period before (see `comparisonsOf`).
 */
function comparedDate(length: ViewLength, comparison: Exclude<ComparedPeriod, 'none'>, date: string): string {
	if (comparison === 'weekday') return movedDate('day', date, -daysPerWeek);
	if (comparison === 'before') return movedDate(length, date, -1);
	return length === 'month' ? movedDate('month', date, -monthsPerYear) : movedDate('day', date, -52 * daysPerWeek);
}

/** Returns the first date of the period that contains a date. Weeks begin on Monday. */
function beginOf(length: ViewLength, date: string): string {
	const begin = new Date(`${date}T00:00:00Z`);
	// The days of a week are numbered from Sunday, which is 0.
	const daysSinceMonday = (begin.getUTCDay() + 6) % daysPerWeek;
	if (length === 'week') begin.setUTCDate(begin.getUTCDate() - daysSinceMonday);
	if (length === 'month' || length === 'year') begin.setUTCDate(1);
	if (length === 'year') begin.setUTCMonth(0);
	return dateText(begin);
}

const dateText = (date: Date): string => date.toISOString().slice(0, 10);
