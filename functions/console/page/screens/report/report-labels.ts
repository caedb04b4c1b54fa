import type { Calendar } from '#domain/calendar/bounds.ts';
import { dateOfDay, startOfDay } from '#domain/calendar/days.ts';
import { formatDate, formatOf, zoneAbbreviation } from '#page/format/time.ts';
import type { ReportSpan } from './report-periods.ts';
import type { ViewLength } from './report-view.ts';

/** Names a period in full: `Mon 9 November 2026`, `9–15 November 2026`, `November 2026`, `2026`. */
export function spanTitle(length: ViewLength, { date, start, end }: ReportSpan, calendar: Calendar): string {
	if (length === 'day') {
		// Formatted separately, because British English would put a comma after the weekday if the month is written out.
		const weekday = dateFormat('report-weekday-only', { weekday: 'short' })(date);
		return `${weekday} ${dateFormat('report-day', { day: 'numeric', month: 'long', year: 'numeric' })(date)}`;
	}
	if (length === 'month') return dateFormat('report-month', { month: 'long', year: 'numeric' })(date);
	if (length === 'year') return dateFormat('report-year', { year: 'numeric' })(date);
	return rangeText('report-week', { day: 'numeric', month: 'long', year: 'numeric' }, { date, start, end }, calendar);
}

/**
 * Names the counted part of a period: `Mon 9 Nov`, `1–22 Nov`.
 * @param besideDate a date that is named beside it; the year is left out if both have the same. Without such a date the
 * year is named
 */
export function spanName(length: ViewLength, span: ReportSpan, calendar: Calendar, besideDate = ''): string {
	const isSameYear = span.date.slice(0, 4) === besideDate.slice(0, 4);
	const year = isSameYear ? {} : ({ year: 'numeric' } as const);
	if (length === 'year') return rangeText('report-year-part', { month: 'short', year: 'numeric' }, span, calendar);
	if (length === 'day') return dayName(span.date, year);
	return rangeText(`report-part ${year.year ?? ''}`, { day: 'numeric', month: 'short', ...year }, span, calendar);
}

/** Names a day: `Mon 9 Nov`. */
export function dayName(date: string, year: Pick<Intl.DateTimeFormatOptions, 'year'> = {}): string {
	const options = { weekday: 'short', day: 'numeric', month: 'short', ...year } as const;
	return dateFormat(`report-weekday ${year.year ?? ''}`, options)(date);
}

/** Names a row: `00–01`, `02–03 CEST` on the day of a clock change, `Mon 9`, `Nov`. */
export function rowName(length: ViewLength, start: number, end: number, calendar: Calendar): string {
	if (length === 'day') {
		// The clock of the start tells the end, too: an hour in which the clocks change is an hour long.
		const offsetMs = calendar.zone.offsetAt(start);
		const [from = '', to = ''] = [start, end].map((time) => shortClock(new Date(time + offsetMs).toISOString().slice(11, 16)));
		return `${from}–${to === '00' ? '24' : to}${zoneOnChange(start, calendar)}`;
	}
	const date = dateOfDay(start, calendar);
	if (length === 'week') return dayName(date);
	if (length === 'month') return dateFormat('report-month-day', { weekday: 'short', day: 'numeric' })(date);
	return dateFormat('report-row-month', { month: 'short' })(date);
}

/** Names a row together with its period: `Mon 9 Nov`, `09–10, Mon 9 Nov`, `Nov 2026`. */
export function longRowName(length: ViewLength, row: { readonly name: string; readonly date: string }, span: ReportSpan): string {
	if (length === 'day') return `${row.name}, ${dayName(span.date)}`;
	return length === 'year' ? `${row.name} ${row.date.slice(0, 4)}` : dayName(row.date);
}

/** Formats a time of day in the zone of the report: `16:13`, or `02:13 CET` on the day of a clock change. */
export function clockIn(time: number, calendar: Calendar): string {
	const format = formatOf('clock', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, calendar.zone.name);
	return `${format.format(time)}${zoneOnChange(time, calendar)}`;
}

/** Formats day and time in the zone of the report, with the year unless it is the present one: `21 Nov 16:12`. */
export function dateTimeIn(time: number, calendar: Calendar): string {
	return `${formatDate(time, calendar.zone.name)} ${clockIn(time, calendar)}`;
}

/** Shortens whole hours: `02` of `02:00`. */
export function shortClock(clock: string): string {
	return clock.endsWith(':00') ? clock.slice(0, 2) : clock;
}

/** Returns the abbreviation of the zone, after a space, for times of a date on which the clocks change: ` CET`. Otherwise returns ''. */
function zoneOnChange(time: number, { zone }: Calendar): string {
	const date = { zone, dayStartMs: 0 };
	const lastMoment = startOfDay(time, date, { daysLater: 1 }) - 1;
	return zone.offsetAt(startOfDay(time, date)) === zone.offsetAt(lastMoment) ? '' : ` ${zoneAbbreviation(time, zone.name)}`;
}

/** Returns a function that formats dates such as `2026-11-09`. `name` is the key under which the format is kept. The dates are local dates already, so they are read and written as UTC. */
function dateFormat(name: string, options: Intl.DateTimeFormatOptions): (date: string) => string {
	const format = formatOf(name, options, 'UTC');
	return (date) => format.format(Date.parse(date));
}

/** Names a range of days from the first to the last: `9–15 November 2026`. The end of a span is exclusive. */
function rangeText(name: string, options: Intl.DateTimeFormatOptions, { date, end }: ReportSpan, calendar: Calendar): string {
	return formatOf(name, options, 'UTC').formatRange(Date.parse(date), Date.parse(dateOfDay(end - 1, calendar)));
}
