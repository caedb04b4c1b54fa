import * as v from 'valibot';
import { dayMs } from '../milliseconds.ts';
import { finiteNumber, optionalField, positive } from '../validation/field.ts';
import { checkStartBeforeEnd, checkStartIsPast, type ValidationIssues } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { timeSchema } from '../validation/time.ts';
import { durationOf, timeUnits } from '../variable/duration.ts';
import type { Range } from '../variable/window.ts';
import { type Calendar, periodFits } from './bounds.ts';
import { timeOfDaySchema, timeZoneSchema } from './day-fields.ts';
import { timeOfDayMs } from './days.ts';
import type { WirePeriod } from './period-choice.ts';
import { openTimeZone } from './time-zone.ts';

/** The fields of a request for a range and its windows (shared/domain/calendar/README.md#bounds). */
export const rangeFields = {
	start: timeSchema,
	end: optionalField(timeSchema),
	period: optionalField(
		v.object({
			count: v.pipe(finiteNumber, positive),
			unit: v.picklist(timeUnits),
		}),
	),
	timeZone: v.nullish(timeZoneSchema, 'UTC'),
	dayStart: v.nullish(timeOfDaySchema, '00:00'),
};

type SentField = keyof typeof rangeFields;

/** A range that was asked for, and how its windows are counted. */
export interface RangeRequest {
	/** Never ends later than the moment of the request. */
	readonly range: Range;
	/** The length of the windows; undefined: none was sent. */
	readonly period: WirePeriod | undefined;
	readonly calendar: Calendar;
	/** The start of days, as it was sent: `06:30`. */
	readonly dayStart: string;
}

/** The longest range that a request may ask for. */
export interface LongestRange {
	readonly days: number;
	/** The same in words, for the error message: `366 days`. */
	readonly text: string;
}

/**
 * Parses the range of a request with the rules over several fields, each for valid fields only.
 * @param sentField returns a field of the body
 * @param now epoch milliseconds; a range ends there at the latest
 * @returns undefined where there are issues
 */
export function parseRange(
	sentField: (key: SentField) => unknown,
	now: number,
	longest: LongestRange,
	issues: ValidationIssues,
): RangeRequest | undefined {
	const fieldIn = <Key extends SentField>(key: Key) => issues.parseField(rangeFields[key], sentField(key), key);
	const end = (sentField('end') ?? null) === null ? now : fieldIn('end');
	const range = checkedRange({ start: fieldIn('start'), end }, now, longest, issues);
	const period = fieldIn('period');
	// A field that is not valid has its issue now, so a default may stand in for it.
	const zone = openTimeZone(fieldIn('timeZone') ?? 'UTC');
	const dayStart = fieldIn('dayStart') ?? '00:00';
	const calendar = zone === null ? undefined : { zone, dayStartMs: timeOfDayMs(dayStart) };
	if (period !== undefined) checkPeriod(period, calendar, issues);
	return range === undefined || calendar === undefined ? undefined : { range, period, calendar, dayStart };
}

/** Returns the range of a request, which ends at `now` at the latest. Undefined where a bound is not valid. */
export function checkedRange(
	{ start, end }: { readonly start: number | undefined; readonly end: number | undefined },
	now: number,
	longest: LongestRange,
	issues: ValidationIssues,
): Range | undefined {
	if (start !== undefined) checkStartIsPast(issues, 'start', start, now);
	if (start === undefined || end === undefined) return undefined;
	const stop = Math.min(end, now);
	if (checkStartBeforeEnd(issues, 'start', { start, stop }) && stop - start > longest.days * dayMs)
		issues.add('start', problem('range_too_long', `Must be at most ${longest.text} before end.`, { limit: longest.days }));
	return { start, stop };
}

/** Checks that a period is a duration that fits the calendar; undefined: the calendar is not valid. */
function checkPeriod({ count, unit }: WirePeriod, calendar: Calendar | undefined, issues: ValidationIssues): void {
	const duration = durationOf(count, unit);
	if ('code' in duration) issues.add('period.count', duration);
	else if (calendar !== undefined && !periodFits(duration, calendar))
		issues.add(
			'period',
			problem('period_does_not_fit', 'Must divide 24 h, or be whole days, months or years, with a timeZone or dayStart.'),
		);
}
