import * as v from 'valibot';
import { timeOfDaySchema, timeZoneSchema } from '#domain/calendar/day-fields.ts';
import { checkAskedDays, daysOf, rangeOfDays } from '#domain/calendar/day-range.ts';
import { calendarOf } from '#domain/calendar/days.ts';
import { periodTextSchema } from '#domain/history/history-request.ts';
import { type ReportPeriod, reportPeriods } from '#domain/report/report-period.ts';
import { ValidationIssues } from '#domain/validation/parse.ts';
import { idsTextSchema, windowFields } from './table-request.ts';

/** The windows of reports, as totals and histories are asked for them. */
const namedWindows = {
	hour: { count: 1, unit: 'h' },
	day: { count: 1, unit: 'd' },
	week: { count: 7, unit: 'd' },
	month: { count: 1, unit: 'mo' },
	year: { count: 1, unit: 'y' },
} as const satisfies Readonly<Record<ReportPeriod, object>>;

/** The parameters of tables of variables over the windows of some days. */
export const variableWindowFields = {
	...windowFields,
	ids: v.optional(idsTextSchema),
	/** A name such as `day`, or a number with its unit: `15m`. */
	period: v.optional(
		v.union([
			v.pipe(
				v.picklist(reportPeriods),
				v.transform((name) => namedWindows[name]),
			),
			periodTextSchema,
		]),
	),
	timeZone: v.optional(timeZoneSchema, 'UTC'),
	dayStart: v.optional(timeOfDaySchema, '00:00'),
};

type VariableWindows = v.InferOutput<v.ObjectSchema<typeof variableWindowFields, undefined>>;

/**
 * Returns the fields of a request for totals or a history over the days that a query asks for.
 * @param now epoch milliseconds
 * @throws DomainError `invalid` where days are asked for in two ways
 */
export function rangeRequestOf(query: VariableWindows, now: number) {
	const { timeZone, dayStart, period } = query;
	const issues = new ValidationIssues();
	checkAskedDays(query, issues);
	issues.throwIfAny();
	const calendar = calendarOf({ timeZone, dayStart });
	const { start, stop } = rangeOfDays(daysOf(query, calendar, now), calendar);
	return { start, end: stop, timeZone, dayStart, ...(period === undefined ? {} : { period }) };
}
