import { listAlarms } from '../../shared/domain/board/list-alarms.ts';
import type { SchemaStore } from '../../shared/domain/ports/schema-store.ts';
import { readAlarms } from '../../shared/domain/reading/read-alarms.ts';
import type { ReadingDeps } from '../../shared/domain/reading/read-variables.ts';
import { ok, withReadings } from '../../shared/http/answer.ts';
import { callerOf } from '../../shared/http/caller.ts';
import type { ApiHandler } from '../../shared/http/event.ts';
import { handle } from '../../shared/http/handle.ts';
import type { Log } from '../../shared/http/log.ts';
import { alarmToWire } from '../../shared/http/wire.ts';

interface Deps extends ReadingDeps {
	readonly log: Log;
	readonly store: SchemaStore;
	readonly now: () => number;
}

/** GET /getAlarms: every alarm of the caller's schema, by ascending id, with its state now. */
export const createHandler = (deps: Deps): ApiHandler =>
	handle(deps.log, async (event) => {
		const { schema, database } = callerOf(event);
		const alarms = await listAlarms(deps.store, schema);
		const states = await readAlarms(
			deps,
			schema,
			{ database, now: deps.now() },
			alarms.map(({ alarm }) => alarm),
		);
		return withReadings(states, ok({ data: alarms.map((alarm, index) => alarmToWire(alarm, states[index])) }));
	});
