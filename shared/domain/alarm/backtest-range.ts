import { timeZoneSchema } from '../calendar/day-fields.ts';
import { openTimeZone, type TimeZone } from '../calendar/time-zone.ts';
import { dayMs } from '../milliseconds.ts';
import { checkStartBeforeEnd, checkStartIsPast, ValidationIssues } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { queryTimeSchema } from '../validation/time.ts';
import type { Range } from '../variable/window.ts';

/** The parameters of a back-test: a range, and the time zone of its days. */
export interface BacktestRequest {
	readonly range: Range;
	readonly zone: TimeZone;
}

/** The longest back-test in days. */
const maxDays = 31;
const minRangeMs = 1000;

/**
 * Parses the range of a back-test and the zone of its days (default UTC) from the parameters of a query.
 * @param now epoch milliseconds; the range ends there at the latest
 * @returns null when no back-test is asked for
 * @throws DomainError `invalid` for a time or a zone that is not valid, a time that is missing, and a range that is shorter than
 *   a second or longer than 31 days
 */
export function parseBacktestRange(
	{ start, end, timeZone = 'UTC' }: Readonly<Partial<Record<'start' | 'end' | 'timeZone', string | undefined>>>,
	now: number,
): BacktestRequest | null {
	if (start === undefined && end === undefined) return null;
	const issues = new ValidationIssues();
	const startAt = issues.parseField(queryTimeSchema, start, 'start');
	const endAt = issues.parseField(queryTimeSchema, end, 'end');
	const stop = endAt === undefined ? undefined : Math.min(endAt, now);
	if (startAt !== undefined) checkStartIsPast(issues, 'start', startAt, now);
	if (startAt !== undefined && stop !== undefined) {
		if (checkStartBeforeEnd(issues, 'start', { start: startAt, stop }, minRangeMs) && stop - startAt > maxDays * dayMs)
			issues.add('start', problem('range_too_long', `Must be at most ${maxDays} days before end.`, { limit: maxDays }));
	}
	// In place of a time zone that is not valid, UTC: its issue is thrown in the next line.
	const zone = openTimeZone(issues.parseField(timeZoneSchema, timeZone, 'timeZone') ?? 'UTC');
	issues.throwIfAny();
	if (startAt === undefined || stop === undefined || zone === null) throw new RangeError('A range without issues is incomplete.');
	return { range: { start: startAt, stop }, zone };
}
