import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { shareReads } from '#domain/reading/shared-reads.ts';
import type { ReadHandlerDeps } from '#http/handler-deps.ts';
import { influxFunctionSchema, readConfig } from '#shared/config.ts';
import { openStoreDeps } from './store-deps.ts';
import { openTimeSeries } from './time-series.ts';

/** Opens the dependencies of a handler that reads time series. The definitions and shared reads live as long as the function's process. */
export function openReadDeps(): ReadHandlerDeps {
	const config = readConfig(influxFunctionSchema);
	const { log, metrics, store } = openStoreDeps(config.INFLUX_TIMEOUT_MS);
	const timeSeries = shareReads(openTimeSeries(metrics), config.READINGS_SHARED_MS);
	return { log, now: Date.now, store, definitions: createDefinitionCache(store), timeSeries };
}
