import { assembleReport, type ReadReport } from '../report/assemble-report.ts';
import { compareDays } from '../report/compare-days.ts';
import { countReport } from '../report/count-days.ts';
import { loadReport, type ReportDeps, type ReportTenant } from '../report/load-report.ts';
import { readReferences } from '../report/reference-nights.ts';
import type { ReportRequest } from '../report/report-request.ts';

/**
 * Reads a report (shared/domain/report/README.md#reading). Days that are stored are read in one call, and their samples are counted in
 * another; the others are counted from samples.
 * @param now epoch milliseconds
 * @throws DomainError `not_found`; `too_large` when there are too many windows, or too many samples in days that are not stored; and the
 *   errors of the ports
 */
export async function readReport(
	deps: ReportDeps,
	tenant: ReportTenant,
	request: ReportRequest,
	now: number,
): Promise<ReadReport> {
	const loaded = await loadReport(deps, tenant, request);
	const days = compareDays(loaded, now);
	const [counted, references] = await Promise.all([
		countReport(deps, loaded, days),
		readReferences(deps, tenant, loaded.report, now),
	]);
	return assembleReport(loaded, days, counted, references, now);
}
