import { historyFields, parseHistoryRequest } from '#domain/history/history-request.ts';
import { readHistory } from '#domain/use-cases/read-history.ts';
import { ok, withReadings } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import type { ApiHandler } from '#http/event.ts';
import type { HistoryHandlerDeps } from '#http/handler-deps.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { bodyOf } from '#http/request.ts';
import { parseSent } from '#http/sent-input.ts';
import { historyToJson } from '#http/serialize.ts';

/** POST /history: reads aggregates of variables over the windows of a range that the client chooses. */
export function createHandler(deps: HistoryHandlerDeps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const { schema, database } = callerOf(event);
		const request = parseSent(historyFields, bodyOf(event), (body) => parseHistoryRequest(body, deps.now()));
		const history = await readHistory(deps, schema, database, request);
		// Told to the client when the response is too large.
		const remedy = 'ask for a longer period, or for fewer ids or aggregates';
		return withReadings(history.variables, { ...ok({ data: historyToJson(history) }), remedy });
	});
}
