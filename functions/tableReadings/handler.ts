import * as v from 'valibot';
import { timeZoneSchema } from '#domain/calendar/day-fields.ts';
import { parseIds, readVariables } from '#domain/use-cases/read-variables.ts';
import { withReadings } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { ReadHandlerDeps } from '#http/handler-deps.ts';
import { createAuthorizedHandler, type OwnAuthorizationHandlerDeps } from '#http/own-authorization.ts';
import { readsAnew } from '#http/request.ts';
import { readingsTable } from '#http/table/read-table.ts';
import { idsTextSchema, tableFields, tableQueryOf } from '#http/table/table-request.ts';
import { tableResponse } from '#http/table/table-response.ts';

const querySchema = v.object({
	...tableFields,
	ids: v.optional(idsTextSchema),
	timeZone: v.optional(timeZoneSchema, 'UTC'),
});

/** GET /table/readings: returns the readings of `ids`, or of all variables, at one moment as a table: JSON, CSV or a workbook. */
export function createHandler(deps: ReadHandlerDeps & OwnAuthorizationHandlerDeps): ApiHandler {
	return createAuthorizedHandler(deps, async (event) => {
		const { schema, database } = callerOf(event);
		const query = tableQueryOf(event, querySchema);
		const context = { database, now: deps.now(), anew: readsAnew(event) };
		const readings = await readVariables(deps, schema, context, parseIds(query));
		return withReadings(readings, await tableResponse(event, readingsTable(readings, query), query, 'ask for fewer ids'));
	});
}
