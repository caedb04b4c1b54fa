import { openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { createDynamoIdempotency } from '#adapters/dynamo/dynamo-idempotency.ts';
import { createDynamoSchemaStore } from '#adapters/dynamo/dynamo-schema-store.ts';
import { instrumentedSchemaStore } from '#adapters/instrumented.ts';
import type { Idempotency } from '#domain/ports/idempotency.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { readConfig, schemaTablesSchema } from '#shared/config.ts';

/** The tables of a function that its environment names. */
export function openSchemaStore(metrics: Metrics): { readonly store: SchemaStore; readonly idempotency: Idempotency } {
	const tables = readConfig(schemaTablesSchema);
	const dynamo = openDynamo();
	const store = createDynamoSchemaStore(dynamo, {
		variables: tables.TABLE_VARIABLES,
		panels: tables.TABLE_PANELS,
		boards: tables.TABLE_BOARDS,
		idempotency: tables.TABLE_IDEMPOTENCY,
	});
	return {
		store: instrumentedSchemaStore(store, metrics),
		idempotency: createDynamoIdempotency(dynamo, tables.TABLE_IDEMPOTENCY),
	};
}
