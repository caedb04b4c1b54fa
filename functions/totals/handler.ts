import { parseTotalsRequest, totalsFields } from '#domain/totals/totals-request.ts';
import { readTotals } from '#domain/use-cases/read-totals.ts';
import { ok } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { TotalsHandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { bodyOf } from '#http/request.ts';
import { parseSent } from '#http/sent-input.ts';
import { totalsToJson } from '#http/serialize-totals.ts';

/** POST /totals: counts volumes, run hours, starts and counters over the windows of a range. */
export function createHandler(deps: TotalsHandlerDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema, database } = callerOf(event);
		const request = parseSent(totalsFields, bodyOf(event), (body) => parseTotalsRequest(body, deps.now()));
		return ok({ data: totalsToJson(await readTotals(deps, schema, database, request)) });
	});
}
