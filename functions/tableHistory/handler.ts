import * as v from 'valibot';
import { parseHistoryRequest } from '#domain/history/history-request.ts';
import { readHistory } from '#domain/use-cases/read-history.ts';
import { withReadings } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HistoryHandlerDeps } from '#http/handler-deps.ts';
import { createAuthorizedHandler, type OwnAuthorizationHandlerDeps } from '#http/own-authorization.ts';
import { historyTable } from '#http/table/read-table.ts';
import { namedAsSent, tableQueryOf } from '#http/table/table-request.ts';
import { tableResponse } from '#http/table/table-response.ts';
import { rangeRequestOf, variableWindowFields } from '#http/table/window-request.ts';

const querySchema = v.object({
	...variableWindowFields,
	aggregates: v.optional(
		v.pipe(
			v.string(),
			v.transform((text) => text.split(',')),
		),
	),
});

/** GET /table/history: returns aggregates of variables over the windows of some days as a table: JSON, CSV or a workbook. */
export function createHandler(deps: HistoryHandlerDeps & OwnAuthorizationHandlerDeps): ApiHandler {
	return createAuthorizedHandler(deps, async (event) => {
		const now = deps.now();
		const { schema, database } = callerOf(event);
		const query = tableQueryOf(event, querySchema);
		const { columns } = query;
		const { history, aggregates } = await namedAsSent(event, async () => {
			const sent = { ids: query.ids, aggregates: query.aggregates };
			const request = parseHistoryRequest({ ...sent, ...rangeRequestOf(query, now) }, now);
			return { history: await readHistory(deps, schema, database, request), aggregates: request.aggregates };
		});
		const table = historyTable(history, { aggregates, columns });
		return withReadings(history.variables, await tableResponse(event, table, query));
	});
}
