import { parseReportRequest, reportRequestFields } from '#domain/report/report-request.ts';
import { readReport } from '#domain/use-cases/read-report.ts';
import { ok } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { ReportHandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { bodyOf } from '#http/request.ts';
import { parseSent } from '#http/sent-input.ts';
import { reportToJson } from '#http/serialize-report.ts';

/**
 * POST /readReport: returns the numbers of a report by hours, days, weeks, months or years. Sealed numbers are returned as they were
 * sealed.
 */
export function createHandler(deps: ReportHandlerDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const now = deps.now();
		const request = parseSent(reportRequestFields, bodyOf(event), (body) => parseReportRequest(body, now));
		return ok({ data: reportToJson(await readReport(deps, callerOf(event), request, now)) });
	});
}
