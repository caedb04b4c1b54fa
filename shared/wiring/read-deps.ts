import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import type { ReadHandlerDeps } from '#http/handler-deps.ts';
import { influxFunctionSchema, readConfig } from '#shared/config.ts';
import { openStoreDeps } from './store-deps.ts';
import { openTimeSeries } from './time-series.ts';

/** Opens the dependencies of a handler that reads time series. The definition cache lives as long as the function's process. */
export function openReadDeps(): ReadHandlerDeps {
	const { log, metrics, store } = openStoreDeps(readConfig(influxFunctionSchema).INFLUX_TIMEOUT_MS);
	return { log, now: Date.now, store, definitions: createDefinitionCache(store), timeSeries: openTimeSeries(metrics) };
}
