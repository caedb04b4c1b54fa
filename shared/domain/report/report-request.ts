import * as v from 'valibot';
import type { Calendar } from '../calendar/bounds.ts';
import { type AskedDays, checkAskedDays, daysOf, rangeOfDays } from '../calendar/day-range.ts';
import { startOfDate } from '../calendar/days.ts';
import { checkedRange } from '../calendar/range-request.ts';
import { fieldOf, optionalField, storedIdSchema } from '../validation/field.ts';
import { ValidationIssues } from '../validation/parse.ts';
import { timeOrDateSchema } from '../validation/time.ts';
import type { Range } from '../variable/window.ts';
import { type ReportPeriod, reportPeriods } from './report-period.ts';

/** The longest range: three years, one of them a leap year. */
const longest = { days: 1096, text: '1,096 days' } as const;

/** The fields of the body of POST /readReport. */
export const reportRequestFields = v.object({
	/** The id of a report. */
	id: storedIdSchema,
	/** A date is the moment at which that day of the report begins. */
	start: timeOrDateSchema,
	end: optionalField(timeOrDateSchema),
	period: v.picklist(reportPeriods),
});

/** A parsed request for a report. */
export interface ReportRequest {
	readonly id: number;
	/**
	 * Returns the range by the calendar of the report. It ends at the moment of the request at the latest.
	 * @throws DomainError `invalid` where dates make no range
	 */
	readonly rangeIn: (calendar: Calendar) => Range;
	readonly period: ReportPeriod;
}

/**
 * Parses the body of POST /readReport.
 * @param now epoch milliseconds; a range ends there at the latest
 * @throws DomainError `invalid` with the issues of all fields
 */
export function parseReportRequest(input: object, now: number): ReportRequest {
	const issues = new ValidationIssues();
	const { entries } = reportRequestFields;
	const id = issues.parseField(entries.id, fieldOf(input, 'id'), 'id');
	const start = issues.parseField(entries.start, fieldOf(input, 'start'), 'start');
	const end = issues.parseField(entries.end, fieldOf(input, 'end'), 'end');
	const period = issues.parseField(entries.period, fieldOf(input, 'period'), 'period');
	const hasEnd = (fieldOf(input, 'end') ?? null) !== null;
	// Times need no calendar, so their faults are told with those of the other fields.
	if (typeof start !== 'string' && typeof end !== 'string')
		checkedRange({ start, end: hasEnd ? end : now }, now, longest, issues);
	issues.throwIfAny();
	if (id === undefined || period === undefined || start === undefined)
		throw new RangeError('A request without issues is incomplete.');
	const rangeIn = (calendar: Calendar): Range => {
		const timeOf = (time: number | string): number => (typeof time === 'string' ? startOfDate(time, calendar) : time);
		return rangeOrThrow({ start: timeOf(start), stop: timeOf(end ?? now) }, now);
	};
	return { id, period, rangeIn };
}

/**
 * Returns the request for the days of a report.
 * @param now epoch milliseconds; a range ends there at the latest
 * @throws DomainError `invalid` where the days are asked for in two ways
 */
export function requestOfDays(id: number, period: ReportPeriod, asked: AskedDays, now: number): ReportRequest {
	const issues = new ValidationIssues();
	checkAskedDays(asked, issues);
	issues.throwIfAny();
	return { id, period, rangeIn: (calendar) => rangeOrThrow(rangeOfDays(daysOf(asked, calendar, now), calendar), now) };
}

function rangeOrThrow({ start, stop }: Range, now: number): Range {
	const issues = new ValidationIssues();
	const range = checkedRange({ start, end: stop }, now, longest, issues);
	issues.throwIfAny();
	if (range === undefined) throw new RangeError('A range without issues is incomplete.');
	return range;
}
