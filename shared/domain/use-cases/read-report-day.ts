import { daysOf } from '../calendar/day-range.ts';
import { calendarOf } from '../calendar/days.ts';
import type { ReportDays } from '../ports/report-days.ts';
import type { SchemaReader } from '../ports/schema-store.ts';
import { findReport, type ReportTenant } from '../report/load-report.ts';
import { isRead, type StoredDay } from '../report/stored-day.ts';

/**
 * Returns all versions of a day of a report: those that were sealed and replaced by ascending revision, then the one that holds. A
 * version that was counted on another database than the tenant's is left out, and so is one that cannot be read. Empty where the day is not stored.
 * @param asked the local date, or `yesterday`
 * @param now epoch milliseconds
 * @returns the local date, its versions, and whether the one that holds cannot be read
 * @throws DomainError `not_found`, and the errors of the store
 */
export async function readReportDay(
	{ store, days }: { readonly store: Pick<SchemaReader, 'get'>; readonly days: ReportDays },
	{ schema, database }: ReportTenant,
	id: number,
	asked: string,
	now: number,
): Promise<{ readonly date: string; readonly versions: readonly StoredDay[]; readonly isUnread: boolean }> {
	const calendar = calendarOf((await findReport({ store }, schema, id)).report);
	const { to: date } = daysOf({ date: asked }, calendar, now);
	const key = { schema, reportId: id };
	const [revisions, current] = await Promise.all([days.revisions(key, date), days.list(key, date, date)]);
	const read = current.filter(isRead);
	const versions = [...revisions, ...read].filter((day) => day.database === database);
	return { date, versions, isUnread: read.length < current.length };
}
