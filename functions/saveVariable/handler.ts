import { parseDraftWindows } from '#domain/history/history-request.ts';
import type { VariableRow } from '#domain/ports/schema-store.ts';
import type { SpanReader } from '#domain/ports/span-reader.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';
import { unshared } from '#domain/reading/shared-reads.ts';
import { readTold } from '#domain/reading/told-sources.ts';
import type { VersionMatch } from '#domain/transaction/checks.ts';
import { readHistoryOf } from '#domain/use-cases/read-history.ts';
import { previewVariable, saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseSentVariable, type SentVariable, sentFields, withTrimmedName } from '#domain/variable/sent-variable.ts';
import { createRoleHandler } from '#http/admission.ts';
import { type ApiResponse, ok, withReadings } from '#http/api-response.ts';
import { callerOf, changeOriginOf } from '#http/caller.ts';
import { etagOf, ifMatchOf } from '#http/etag.ts';
import type { ApiEvent, ApiHandler } from '#http/event.ts';
import type { WriteHandlerDeps } from '#http/handler-deps.ts';
import { checkIdempotencyKey, idempotent } from '#http/idempotent.ts';
import { bodyOf, isDryRun } from '#http/request.ts';
import { parseSent } from '#http/sent-input.ts';
import { draftHistoryToJson, readingToJson, variableToJson } from '#http/serialize.ts';

type SaveVariableHandlerDeps = WriteHandlerDeps & { readonly timeSeries: TimeSeries; readonly spans: SpanReader };

/**
 * POST /saveVariable: creates (id 0) or updates a variable. With ?dryRun=1 it validates and reads the variable, and stores nothing. With
 * &start=&end=&period= too, it returns the history of the variable as stored and as sent.
 */
export function createHandler(deps: SaveVariableHandlerDeps): ApiHandler {
	return createRoleHandler(deps, async (event) => {
		const { schema } = callerOf(event);
		const dryRun = isDryRun(event);
		const match = ifMatchOf(event);
		const sent = parseSent(sentFields, withTrimmedName(bodyOf(event)), parseSentVariable);
		if (dryRun) return tryVariable(deps, event, sent, match);
		const writing = { ...deps, origin: changeOriginOf(event) };
		return idempotent<VariableRow>(
			deps,
			event,
			(createRecord) => saveVariable(writing, schema, sent.variable, match, createRecord, sent.hasStrayBits),
			(row) => ok({ data: variableToJson(row) }, etagOf(row)),
		);
	});
}

/** Returns the response to a dry run: the variable as it would be stored, its reading of now, and its histories where they are asked for. */
async function tryVariable(
	deps: SaveVariableHandlerDeps,
	event: ApiEvent,
	{ variable, hasStrayBits }: SentVariable,
	match: VersionMatch,
): Promise<ApiResponse> {
	checkIdempotencyKey(event);
	const { schema, database } = callerOf(event);
	const now = deps.now();
	const windows = parseDraftWindows(event.queryStringParameters ?? {}, now);
	const { row, stored } = await previewVariable(
		{ ...deps, origin: changeOriginOf(event) },
		schema,
		variable,
		match,
		hasStrayBits,
	);
	// Nobody else reads the variable as it was sent.
	const readings = await readTold(unshared(deps.timeSeries), { database, now }, [row.variable]);
	const [reading = null] = readings.map(readingToJson);
	const data = { variable: variableToJson(row), reading };
	if (windows === null) return withReadings(readings, ok({ data }));
	// `draftHistoryToJson` takes the variable as sent first, then the stored one.
	const drafts = [row.variable, ...(stored === null ? [] : [stored.variable])];
	const history = draftHistoryToJson(await readHistoryOf(deps, database, drafts, windows));
	return withReadings(readings, { ...ok({ data: { ...data, history } }), remedy: 'ask for a longer period' });
}
