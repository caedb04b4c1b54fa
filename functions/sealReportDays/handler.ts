import { sealReportDays, sealRequestSchema } from '#domain/use-cases/seal-report-days.ts';
import { createRoleHandler } from '#http/admission.ts';
import { ok } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { ReportHandlerDeps, RoleHandlerDeps } from '#http/handler-deps.ts';
import { bodyOf, refuseDryRun } from '#http/request.ts';
import { parseSent } from '#http/sent-input.ts';
import { sealToJson } from '#http/serialize-report.ts';

/**
 * POST /sealReportDays: counts days of a report and seals them, with a reason. Sealed days whose numbers have not changed stay as they
 * are.
 */
export function createHandler(deps: ReportHandlerDeps & RoleHandlerDeps): ApiHandler {
	return createRoleHandler(deps, async (event) => {
		refuseDryRun(event);
		const request = parseSent(sealRequestSchema, bodyOf(event));
		const caller = callerOf(event);
		const days = await sealReportDays(deps, caller, request, caller.actor, deps.now());
		return ok({ data: { days: days.map(sealToJson) } });
	});
}
