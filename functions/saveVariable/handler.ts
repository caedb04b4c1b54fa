import { previewVariable, saveVariable } from '../../shared/domain/decide/save-variable.ts';
import type { WriteDeps } from '../../shared/domain/decide/transact.ts';
import type { VariableRow } from '../../shared/domain/ports/schema-store.ts';
import type { TimeSeries } from '../../shared/domain/ports/time-series.ts';
import { readNow } from '../../shared/domain/reading/read-variables.ts';
import { parseVariable } from '../../shared/domain/variable/variable.ts';
import { ok, withReadings } from '../../shared/http/answer.ts';
import { callerOf } from '../../shared/http/caller.ts';
import type { ApiHandler } from '../../shared/http/event.ts';
import { handle } from '../../shared/http/handle.ts';
import { etagOf, ifMatchOf } from '../../shared/http/if-match.ts';
import type { Log } from '../../shared/http/log.ts';
import { type OnceDeps, once } from '../../shared/http/once.ts';
import { bodyOf, isDryRun } from '../../shared/http/request.ts';
import { readingToWire, variableToWire } from '../../shared/http/wire.ts';

interface Deps extends WriteDeps, OnceDeps {
	readonly log: Log;
	readonly timeSeries: TimeSeries;
}

/** POST /saveVariable: creates (id 0) or updates a variable; with ?dryRun=1 only says what it would be and show. */
export const createHandler = (deps: Deps): ApiHandler =>
	handle(deps.log, async (event) => {
		const caller = callerOf(event);
		const { schema, database } = caller;
		const dryRun = isDryRun(event);
		const match = ifMatchOf(event);
		const variable = parseVariable(bodyOf(event));
		if (!dryRun)
			return once<VariableRow>(
				deps,
				event,
				caller,
				(receipted) => saveVariable(deps, schema, variable, match, receipted),
				(row) => ok({ data: variableToWire(row) }, etagOf(row)),
			);
		const row = await previewVariable(deps.store, schema, variable, match);
		const readings = await readNow(deps.timeSeries, { database, now: deps.now() }, [variable], 'varsTsdb');
		const [reading = null] = readings.map(readingToWire);
		return withReadings(readings, ok({ data: { variable: variableToWire(row), reading } }));
	});
