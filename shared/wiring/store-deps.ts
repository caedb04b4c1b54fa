import { randomUUID } from 'node:crypto';
import { openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { createDynamoIdempotency } from '#adapters/dynamo/dynamo-idempotency.ts';
import { createDynamoSchemaStore } from '#adapters/dynamo/dynamo-schema-store.ts';
import { instrumentedSchemaStore } from '#adapters/instrumented.ts';
import { jitteredPause } from '#adapters/jittered-pause.ts';
import { readConfig, schemaTablesSchema } from '#shared/config.ts';
import { timeLeftMs } from './request-time.ts';
import { createTelemetry } from './telemetry.ts';

/**
 * Opens the log, the metrics and the tables of a function on AWS. The environment names the tables.
 * @param otherMs the longest time that the other dependencies of a request take
 */
export function openStoreDeps(otherMs = 0) {
	const { log, metrics } = createTelemetry();
	const config = readConfig(schemaTablesSchema);
	const tables = {
		variables: config.TABLE_VARIABLES,
		panels: config.TABLE_PANELS,
		boards: config.TABLE_BOARDS,
		idempotency: config.TABLE_IDEMPOTENCY,
	};
	const dynamo = openDynamo({ timeLeftMs: () => timeLeftMs(otherMs) });
	return {
		log,
		metrics,
		store: instrumentedSchemaStore(createDynamoSchemaStore(dynamo, tables), metrics),
		idempotency: createDynamoIdempotency(dynamo, tables.idempotency),
	};
}

/** Opens the dependencies of a handler that changes stored data (`WriteHandlerDeps`). `otherMs`: see `openStoreDeps`. */
export function openWriteDeps(otherMs = 0) {
	return { ...openStoreDeps(otherMs), now: Date.now, newId: randomUUID, pause: jitteredPause };
}
