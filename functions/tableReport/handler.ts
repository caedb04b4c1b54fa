import * as v from 'valibot';
import { reportPeriods } from '#domain/report/report-period.ts';
import { requestOfDays } from '#domain/report/report-request.ts';
import { readReport } from '#domain/use-cases/read-report.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { ReportHandlerDeps } from '#http/handler-deps.ts';
import { createAuthorizedHandler, type OwnAuthorizationHandlerDeps } from '#http/own-authorization.ts';
import { pathIdOf } from '#http/request.ts';
import { reportTable } from '#http/table/counted-table.ts';
import { namedAsSent, tableQueryOf, windowFields, withoutExtension } from '#http/table/table-request.ts';
import { tableResponse } from '#http/table/table-response.ts';

const querySchema = v.object({ ...windowFields, period: v.optional(v.picklist(reportPeriods), 'day') });

/** GET /table/report/{id}: returns the numbers of a report as a table: JSON, CSV or a workbook. */
export function createHandler(deps: ReportHandlerDeps & OwnAuthorizationHandlerDeps): ApiHandler {
	return createAuthorizedHandler(deps, async (event) => {
		const now = deps.now();
		const { period, ...options } = tableQueryOf(event, querySchema);
		const request = requestOfDays(pathIdOf(event, withoutExtension), period, options, now);
		const report = await namedAsSent(event, () => readReport(deps, callerOf(event), request, now));
		return tableResponse(event, reportTable(report, options), options);
	});
}
