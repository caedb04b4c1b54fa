import { openSchemaStore } from './schema-store.ts';
import { createTelemetry } from './telemetry.ts';

/** What an endpoint needs that answers what is stored. */
export function openListing() {
	const { log, metrics } = createTelemetry();
	return { log, store: openSchemaStore(metrics).store };
}
