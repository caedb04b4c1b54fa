import * as v from 'valibot';
import type { Actor } from '../access/actor.ts';
import { countBounds } from '../calendar/bounds.ts';
import { calendarOf, startOfDate, startOfDay } from '../calendar/days.ts';
import { DomainError } from '../errors.ts';
import { dayMs } from '../milliseconds.ts';
import { assembleDay } from '../report/assemble-day.ts';
import { compareDays, isCountedByEarlierRules, type ReportDay } from '../report/compare-days.ts';
import { countDays } from '../report/count-days.ts';
import { findReport, loadDays, type ReportDeps, type ReportTenant } from '../report/load-report.ts';
import { isRead, type StoredDay } from '../report/stored-day.ts';
import { storedIdSchema, text } from '../validation/field.ts';
import { maxReasonLength } from '../validation/input-limits.ts';
import { withKeywords } from '../validation/keywords.ts';
import { checkStartBeforeEnd, ValidationIssues } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { dateSchema } from '../validation/time.ts';

/** Most days of one request. */
const maxDays = 31;

/** When a client should repeat a request that met another change of a day. */
const retryAfterMs = 1000;

/** The fields of the body of POST /sealReportDays. The rules over several fields are in `sealReportDays`. */
export const sealRequestSchema = v.object({
	/** The id of the report. */
	id: storedIdSchema,
	/** The first and the last local date. */
	from: dateSchema,
	to: dateSchema,
	reason: withKeywords(text(maxReasonLength), { form: 'lines' }),
});

/** Which days of a report are sealed, and why. */
export type SealRequest = v.InferOutput<typeof sealRequestSchema>;

/**
 * Counts days of a report and seals them: sealed days that have changed or were counted by earlier rules, provisional days, days that cannot be
 * read, and days that were never stored. Any other sealed day stays as it is, so the request can be repeated. The replaced version stays readable.
 * @param by who seals them
 * @param now epoch milliseconds
 * @returns the days of the request as they are stored now
 * @throws DomainError `not_found`; `invalid` when the days are not over, or too many; `too_large` when they have too many samples;
 * `write_contention` when they are changed at the same time; and the errors of the ports
 */
export async function sealReportDays(
	deps: ReportDeps,
	tenant: ReportTenant,
	{ id, from, to, reason }: SealRequest,
	by: Actor,
	now: number,
): Promise<readonly StoredDay[]> {
	const { report, unread } = await findReport(deps, tenant.schema, id);
	if (unread !== undefined) throw new DomainError('not_found', { kind: 'report', id, remedy: 'what is stored cannot be read' });
	const calendar = calendarOf(report);
	const start = startOfDate(from, calendar);
	const stop = startOfDay(startOfDate(to, calendar), calendar, { daysLater: 1 });
	const issues = new ValidationIssues();
	// The dates are compared, because a day that the clocks skipped begins with the next one. One day is a range, too.
	checkStartBeforeEnd(issues, 'from', { start: Date.parse(from), stop: Date.parse(to) }, 0);
	if (stop > now) issues.add('to', problem('day_not_over', 'Must be a day that is over.'));
	issues.throwIfAny();
	const actual = countBounds({ start, stop }, { ms: dayMs }, calendar) - 1;
	if (actual > maxDays) {
		const remedy = 'Seal them in several requests.';
		throw new DomainError('too_large', { field: 'to', counted: 'days', actual, limit: maxDays, remedy });
	}
	const loaded = await loadDays(deps, tenant, report, { start, stop });
	const days = compareDays(loaded, now).filter((day) => 'basis' in day);
	const counted = await countDays(deps, loaded, days.filter(needsSeal));
	const sealed: StoredDay[] = [];
	for (const day of days) {
		const states = counted.get(day);
		if (states === undefined) {
			if (day.row !== null && isRead(day.row)) sealed.push(day.row);
			continue;
		}
		const next = { ...assembleDay(loaded, day, states, now), seal: { at: now, by, reason } };
		if (!(await deps.days.put({ schema: tenant.schema, reportId: id }, next, day.row)))
			throw new DomainError('write_contention', { retryAfterMs });
		sealed.push(next);
	}
	return sealed;
}

/** Whether a day is counted and sealed: it was never stored, cannot be read, is provisional, may have changed, or was counted by earlier rules. */
const needsSeal = (day: ReportDay): boolean => day.kind !== 'sealed' || day.causes.size > 0 || isCountedByEarlierRules(day.row);
