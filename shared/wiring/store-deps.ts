import { randomUUID } from 'node:crypto';
import { createDynamoAlarmStore } from '#adapters/dynamo/dynamo-alarm-store.ts';
import { openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { createDynamoIdempotency } from '#adapters/dynamo/dynamo-idempotency.ts';
import { createDynamoSchemaStore } from '#adapters/dynamo/dynamo-schema-store.ts';
import { instrumentedAlarmStore, instrumentedSchemaStore } from '#adapters/instrumented.ts';
import { jitteredPause } from '#adapters/jittered-pause.ts';
import { alarmTablesSchema, readConfig, schemaTablesSchema } from '#shared/config.ts';
import { timeLeftMs } from './request-time.ts';
import { createTelemetry } from './telemetry.ts';

const writing = { now: Date.now, newId: randomUUID, pause: jitteredPause };

/**
 * Opens the log, the metrics and the tables of a function on AWS. The environment names the tables.
 * @param otherMs the longest time that the other dependencies of a request take
 */
export function openStoreDeps(otherMs = 0) {
	return openTables(otherMs).deps;
}

/** Opens the same, and the store of alarms. `otherMs`: see `openStoreDeps`. */
export function openAlarmDeps(otherMs = 0) {
	const { deps, dynamo, tables, eventDays } = openTables(otherMs);
	const { TABLE_EVALUATIONS: evaluations, TABLE_ALARM_STATES: alarmStates } = readConfig(alarmTablesSchema);
	const alarms = createDynamoAlarmStore(dynamo, { ...tables, evaluations, alarmStates }, eventDays);
	return { ...deps, alarms: instrumentedAlarmStore(alarms, deps.metrics) };
}

/** Opens the dependencies of a handler that changes stored data (`WriteHandlerDeps`). `otherMs`: see `openStoreDeps`. */
export function openWriteDeps(otherMs = 0) {
	return { ...openStoreDeps(otherMs), ...writing };
}

/** Opens the dependencies of a handler that changes alarms or their states. `otherMs`: see `openStoreDeps`. */
export function openAlarmWriteDeps(otherMs = 0) {
	return { ...openAlarmDeps(otherMs), ...writing };
}

function openTables(otherMs: number) {
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
