import { randomUUID } from 'node:crypto';
import { createDynamoIdempotency } from '#adapters/dynamo/dynamo-idempotency.ts';
import { createDynamoSchemaStore } from '#adapters/dynamo/dynamo-schema-store.ts';
import { instrumentedSchemaStore } from '#adapters/instrumented.ts';
import { jitteredPause } from '#adapters/jittered-pause.ts';
import { openAdmission } from './admission.ts';
import { openTables } from './store-deps.ts';

/** Returns the dependencies of a handler that changes stored data, on open tables: its stores, and the check of the caller's role. */
export function writeDepsOf({ deps, dynamo, tables, days }: ReturnType<typeof openTables>) {
	return {
		...deps,
		store: instrumentedSchemaStore(createDynamoSchemaStore(dynamo, tables, days), deps.metrics),
		idempotency: createDynamoIdempotency(dynamo, tables.idempotency),
		now: Date.now,
		newId: randomUUID,
		pause: jitteredPause,
		admit: openAdmission(dynamo).admit,
	};
}

/** Opens the dependencies of a handler that changes stored data (`WriteHandlerDeps`). `otherMs`: see `openStoreDeps`. */
export function openWriteDeps(otherMs = 0) {
	return writeDepsOf(openTables(otherMs));
}
