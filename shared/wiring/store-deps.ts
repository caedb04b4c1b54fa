import { openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { createDynamoSchemaReader } from '#adapters/dynamo/dynamo-schema-reader.ts';
import { instrumentedSchemaReader } from '#adapters/instrumented.ts';
import { readConfig, schemaTablesSchema } from '#shared/config.ts';
import { timeLeftMs } from './request-time.ts';
import { createTelemetry } from './telemetry.ts';

/**
 * Opens the log, the metrics and the rows of a function on AWS that only reads. The environment names the tables.
 * @param otherMs the longest time that the other dependencies of a request take; it is kept back from the time that the tables get
 */
export function openStoreDeps(otherMs = 0) {
	return openTables(otherMs).deps;
}

/**
 * Opens the log, the metrics and the rows, and returns the parts from which further stores on the tables are opened. `otherMs`: see
 * `openStoreDeps`.
 */
export function openTables(otherMs = 0) {
	const { log, metrics, report } = createTelemetry();
	const config = readConfig(schemaTablesSchema);
	const tables = {
		variables: config.TABLE_VARIABLES,
		panels: config.TABLE_PANELS,
		boards: config.TABLE_BOARDS,
		alarmEvents: config.TABLE_ALARM_EVENTS,
		changes: config.TABLE_CHANGES,
		idempotency: config.TABLE_IDEMPOTENCY,
	};
	const days = { events: config.ALARM_EVENT_DAYS, changes: config.CHANGE_DAYS };
	const dynamo = openDynamo({ timeLeftMs: () => timeLeftMs(otherMs) });
	const store = instrumentedSchemaReader(createDynamoSchemaReader(dynamo, tables), metrics);
	return { deps: { log, metrics, report, store }, dynamo, tables, days };
}
