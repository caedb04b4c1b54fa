import * as v from 'valibot';
import { idSchema } from '../../shared/domain/field.ts';
import { parse } from '../../shared/domain/parse.ts';
import { type ReadingDeps, readVariables } from '../../shared/domain/reading/read-variables.ts';
import { ok, withReadings } from '../../shared/http/answer.ts';
import { callerOf } from '../../shared/http/caller.ts';
import type { ApiHandler } from '../../shared/http/event.ts';
import { handle } from '../../shared/http/handle.ts';
import type { Log } from '../../shared/http/log.ts';
import { optionalBodyOf } from '../../shared/http/request.ts';
import { readingToWire } from '../../shared/http/wire.ts';

interface Deps extends ReadingDeps {
	readonly log: Log;
	readonly now: () => number;
}

const requestSchema = v.object({ ids: v.optional(v.array(idSchema)) });

/** POST /multipleDataTsdb: what the named variables (or all) show at one moment. */
export const createHandler = (deps: Deps): ApiHandler =>
	handle(deps.log, async (event) => {
		const { schema, database } = callerOf(event);
		const { ids } = parse(requestSchema, optionalBodyOf(event) ?? {});
		const readings = await readVariables(deps, schema, { database, now: deps.now() }, ids ?? 'all');
		return withReadings(readings, ok({ data: readings.map(readingToWire) }));
	});
