import { openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { createDynamoIdempotency } from '#adapters/dynamo/dynamo-idempotency.ts';
import { createDynamoSchemaStore } from '#adapters/dynamo/dynamo-schema-store.ts';
import { instrumentedSchemaStore } from '#adapters/instrumented.ts';
import { readConfig, schemaTablesSchema } from '#shared/config.ts';
import { timeLeftMs } from './request-time.ts';
import { createTelemetry } from './telemetry.ts';

/**
 * Opens the log, the metrics and the tables of a function on AWS. The environment names the tables.
 * @param otherMs the longest time that the other dependencies of a request take; it is kept back from the time that the tables get
 */
export function openStoreDeps(otherMs = 0) {
	return openTables(otherMs).deps;
}

/** Opens the log, the metrics and the tables, with what further stores on them need. `otherMs`: see `openStoreDeps`. */
export function openTables(otherMs: number) {
	const { log, metrics, report } = createTelemetry();
	const config = readConfig(schemaTablesSchema);
	const tables = {
		variables: config.TABLE_VARIABLES,
		panels: config.TABLE_PANELS,
		boards: config.TABLE_BOARDS,
		alarmEvents: config.TABLE_ALARM_EVENTS,
		idempotency: config.TABLE_IDEMPOTENCY,
	};
	const eventDays = config.ALARM_EVENT_DAYS;
	const dynamo = openDynamo({ timeLeftMs: () => timeLeftMs(otherMs) });
	const deps = {
		log,
		metrics,
		report,
		store: instrumentedSchemaStore(createDynamoSchemaStore(dynamo, tables, eventDays), metrics),
		idempotency: createDynamoIdempotency(dynamo, tables.idempotency),
	};
	return { deps, dynamo, tables, eventDays };
}
