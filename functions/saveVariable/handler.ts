import { parseDraftWindows } from '#domain/history/history-request.ts';
import type { VariableRow } from '#domain/ports/schema-store.ts';
import type { SpanReader } from '#domain/ports/span-reader.ts';
import { readNow } from '#domain/reading/read-now.ts';
import type { SeriesReader } from '#domain/reading/shared-reads.ts';
import { readHistoryOf } from '#domain/use-cases/read-history.ts';
import { previewVariable, saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseSentVariable, sentFields } from '#domain/variable/sent-variable.ts';
import { createRoleHandler } from '#http/admission.ts';
import { ok, withReadings } from '#http/api-response.ts';
import { callerOf, originOf } from '#http/caller.ts';
import { etagOf, ifMatchOf } from '#http/etag.ts';
import type { ApiHandler } from '#http/event.ts';
import type { WriteHandlerDeps } from '#http/handler-deps.ts';
import { checkIdempotencyKey, idempotent } from '#http/idempotent.ts';
import { bodyOf, isDryRun } from '#http/request.ts';
import { parseSent } from '#http/sent-input.ts';
import { draftHistoryToJson, readingToJson, variableToJson } from '#http/serialize.ts';

/**
 * POST /saveVariable: creates (id 0) or updates a variable. With ?dryRun=1 it validates and reads the variable, and stores nothing; with
 * &start=&end=&period= it also answers the history of the variable as stored and as sent.
 */
export function createHandler(
	deps: WriteHandlerDeps & { readonly timeSeries: SeriesReader; readonly spans: SpanReader },
): ApiHandler {
	return createRoleHandler(deps, async (event) => {
		const { schema, database } = callerOf(event);
		const dryRun = isDryRun(event);
		const match = ifMatchOf(event);
		const writing = { ...deps, origin: originOf(event) };
		const { variable, hasStrayBits } = parseSent(sentFields, bodyOf(event), parseSentVariable);
		if (!dryRun)
			return idempotent<VariableRow>(
				deps,
				event,
				(createRecord) => saveVariable(writing, schema, variable, match, createRecord, hasStrayBits),
				(row) => ok({ data: variableToJson(row) }, etagOf(row)),
			);
		checkIdempotencyKey(event);
		const asked = parseDraftWindows(event.queryStringParameters ?? {}, deps.now());
		const { row, stored } = await previewVariable(writing, schema, variable, match, hasStrayBits);
		const readings = await readNow(deps.timeSeries, { database, now: deps.now() }, [variable]);
		const [reading = null] = readings.map(readingToJson);
		if (asked === null) return withReadings(readings, ok({ data: { variable: variableToJson(row), reading } }));
		const drafts = [row.variable, ...(stored === null ? [] : [stored.variable])];
		const history = draftHistoryToJson(await readHistoryOf(deps.spans, database, drafts, asked));
		const remedy = 'ask for a longer period';
		return withReadings(readings, { ...ok({ data: { variable: variableToJson(row), reading, history } }), remedy });
	});
}
