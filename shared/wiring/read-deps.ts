import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { openSchemaStore } from './schema-store.ts';
import { createTelemetry } from './telemetry.ts';
import { openTimeSeries } from './time-series.ts';

/** What an endpoint needs that answers readings. Definitions stay with the function while it is warm. */
export function openReading() {
	const { log, metrics } = createTelemetry();
	const { store } = openSchemaStore(metrics);
	return { log, now: Date.now, store, definitions: createDefinitionCache(store), timeSeries: openTimeSeries(metrics) };
}
