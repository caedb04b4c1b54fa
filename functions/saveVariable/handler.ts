import type { VariableRow } from '#domain/ports/schema-store.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';
import type { WriteDeps } from '#domain/transaction/run-transaction.ts';
import { readNow } from '#domain/use-cases/read-variables.ts';
import { previewVariable, saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { ok, withReadings } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import { etagOf, ifMatchOf } from '#http/etag.ts';
import type { ApiHandler } from '#http/event.ts';
import { type IdempotentDeps, idempotent } from '#http/idempotent.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import type { Log } from '#http/log.ts';
import { bodyOf, isDryRun } from '#http/request.ts';
import { readingToJson, variableToJson } from '#http/serialize.ts';

interface Deps extends WriteDeps, IdempotentDeps {
	readonly log: Log;
	readonly timeSeries: TimeSeries;
}

/** POST /saveVariable: creates (id 0) or updates a variable; with ?dryRun=1 only says what it would be and show. */
export function createHandler(deps: Deps): ApiHandler {
	return createLambdaHandler(deps.log, async (event) => {
		const caller = callerOf(event);
		const { schema, database } = caller;
		const dryRun = isDryRun(event);
		const match = ifMatchOf(event);
		const variable = parseVariable(bodyOf(event));
		if (!dryRun)
			return idempotent<VariableRow>(
				deps,
				event,
				caller,
				(receipted) => saveVariable(deps, schema, variable, match, receipted),
				(row) => ok({ data: variableToJson(row) }, etagOf(row)),
			);
		const row = await previewVariable(deps.store, schema, variable, match);
		const readings = await readNow(deps.timeSeries, { database, now: deps.now() }, [variable], 'varsTsdb');
		const [reading = null] = readings.map(readingToJson);
		return withReadings(readings, ok({ data: { variable: variableToJson(row), reading } }));
	});
}
