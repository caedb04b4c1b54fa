import * as v from 'valibot';
import { parseRange, rangeFields } from '../calendar/range-request.ts';
import { fieldOf, storedIdSchema } from '../validation/field.ts';
import { ValidationIssues } from '../validation/parse.ts';
import type { Range } from '../variable/window.ts';
import { type ReportPeriod, reportPeriods } from './report-period.ts';

/** The longest range: three years, one of them a leap year. */
const longest = { days: 1096, text: '1,096 days' } as const;

/** The fields of the body of POST /readReport. */
export const reportRequestFields = v.object({
	/** The id of a report. */
	id: storedIdSchema,
	start: rangeFields.start,
	end: rangeFields.end,
	period: v.picklist(reportPeriods),
});

/** A parsed request for a report. */
export interface ReportRequest {
	readonly id: number;
	/** Ends at the moment of the request at the latest. */
	readonly range: Range;
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
	const period = issues.parseField(entries.period, fieldOf(input, 'period'), 'period');
	// Time zone and start of days are those of the report, and `period` is a name here.
	const rangeRequest = parseRange(
		(key) => (key === 'start' || key === 'end' ? fieldOf(input, key) : undefined),
		now,
		longest,
		issues,
	);
	issues.throwIfAny();
	if (id === undefined || period === undefined || rangeRequest === undefined)
		throw new RangeError('A request without issues is incomplete.');
	return { id, period, range: rangeRequest.range };
}
