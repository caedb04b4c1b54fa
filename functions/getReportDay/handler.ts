import * as v from 'valibot';
import type { ReportDays } from '#domain/ports/report-days.ts';
import { readReportDay } from '#domain/use-cases/read-report-day.ts';
import { dateSchema } from '#domain/use-cases/seal-report-days.ts';
import { parse } from '#domain/validation/parse.ts';
import { ok } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { StoreHandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { queryPositiveSchema } from '#http/listing.ts';
import { queryOf } from '#http/sent-input.ts';
import { reportDayToJson } from '#http/serialize-report.ts';

const querySchema = v.object({ id: queryPositiveSchema, date: dateSchema });

/** GET /reportDay: returns all versions of a report's day, the current one last. */
export function createHandler(deps: StoreHandlerDeps & { readonly days: ReportDays }): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { id, date } = parse(querySchema, queryOf(event, Object.keys(querySchema.entries)));
		const versions = await readReportDay(deps, callerOf(event), id, date);
		return ok({ data: { date, versions: versions.map(reportDayToJson) } });
	});
}
