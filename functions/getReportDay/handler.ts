import * as v from 'valibot';
import type { ReportDays } from '#domain/ports/report-days.ts';
import { readReportDay } from '#domain/use-cases/read-report-day.ts';
import { parse } from '#domain/validation/parse.ts';
import { dateSchema } from '#domain/validation/time.ts';
import { ok } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { StoreHandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { queryPositiveSchema } from '#http/listing.ts';
import { queryOf } from '#http/sent-input.ts';
import { rowFaultOf } from '#http/serialize.ts';
import { reportDayToJson } from '#http/serialize-report.ts';

const querySchema = v.object({ id: queryPositiveSchema, date: v.union([v.literal('yesterday'), dateSchema]) });

/** GET /reportDay: returns all versions of a report's day, the current one last. */
export function createHandler(deps: StoreHandlerDeps & { readonly days: ReportDays; readonly now: () => number }): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { id, date: asked } = parse(querySchema, queryOf(event, Object.keys(querySchema.entries)));
		const { date, versions, isUnread } = await readReportDay(deps, callerOf(event), id, asked, deps.now());
		return ok({ data: { date, versions: versions.map(reportDayToJson), ...rowFaultOf(isUnread) } });
	});
}
