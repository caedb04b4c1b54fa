import * as v from 'valibot';
import { rateUnitNames } from '#domain/board/line.ts';
import { parseTotalsRequest } from '#domain/totals/totals-request.ts';
import { readTotals } from '#domain/use-cases/read-totals.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { TotalsHandlerDeps } from '#http/handler-deps.ts';
import { queryPositiveSchema } from '#http/listing.ts';
import { createAuthorizedHandler, type OwnAuthorizationHandlerDeps } from '#http/own-authorization.ts';
import { totalsTable } from '#http/table/counted-table.ts';
import { namedAsSent, tableQueryOf } from '#http/table/table-request.ts';
import { tableResponse } from '#http/table/table-response.ts';
import { countedVariables, linesOfVariables, noAlarms, tableFunctions } from '#http/table/totals-lines.ts';
import { rangeRequestOf, variableWindowFields } from '#http/table/window-request.ts';

const querySchema = v.object({
	...variableWindowFields,
	function: v.picklist(tableFunctions),
	per: v.optional(v.picklist(rateUnitNames)),
	holdSeconds: v.optional(queryPositiveSchema),
});

/** GET /table/totals: returns what one function counts of variables over the windows of some days as a table: JSON, CSV or a workbook. */
export function createHandler(deps: Omit<TotalsHandlerDeps, 'alarms'> & OwnAuthorizationHandlerDeps): ApiHandler {
	return createAuthorizedHandler(deps, async (event) => {
		const now = deps.now();
		const { schema, database } = callerOf(event);
		const query = tableQueryOf(event, querySchema);
		const totals = await namedAsSent(event, async () => {
			const request = parseTotalsRequest({ lines: linesOfVariables(query), ...rangeRequestOf(query, now) }, now);
			return readTotals({ ...deps, alarms: noAlarms }, schema, database, request);
		});
		const variables = await deps.definitions.get(schema, query.ids ?? []);
		return tableResponse(event, totalsTable(totals, countedVariables(query, variables), query), query);
	});
}
