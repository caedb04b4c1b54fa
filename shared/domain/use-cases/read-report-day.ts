import type { ReportDays } from '../ports/report-days.ts';
import type { SchemaReader } from '../ports/schema-store.ts';
import { findReport, type ReportTenant } from '../report/load-report.ts';
import type { StoredDay } from '../report/stored-day.ts';

/**
 * Returns all versions of a day of a report: those that were sealed and replaced by ascending revision, then the one that holds. A
 * version that was counted on another database than the tenant's is left out. Empty where the day is not stored.
 * @param date the local date: `2026-11-20`
 * @throws DomainError `not_found`, and the errors of the store
 */
export async function readReportDay(
	{ store, days }: { readonly store: Pick<SchemaReader, 'get'>; readonly days: ReportDays },
	{ schema, database }: ReportTenant,
	id: number,
	date: string,
): Promise<readonly StoredDay[]> {
	await findReport({ store }, schema, id);
	const key = { schema, reportId: id };
	const [revisions, current] = await Promise.all([days.revisions(key, date), days.list(key, date, date)]);
	return [...revisions, ...current].filter((day) => day.database === database);
}
