import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { shareReads } from '#domain/reading/shared-reads.ts';
import type { ReadHandlerDeps } from '#http/handler-deps.ts';
import { influxFunctionSchema, readConfig } from '#shared/config.ts';
import { openTimeSeries } from './series.ts';
import { openStoreDeps } from './store-deps.ts';

/** Opens the dependencies of a handler that reads time series. The definitions and shared reads live as long as the function's process. */
export function openReadDeps(): ReadHandlerDeps {
	const config = readConfig(influxFunctionSchema);
	return readDepsOf(openStoreDeps(config.INFLUX_TIMEOUT_MS), config.READINGS_SHARED_MS);
}

/** Returns the same dependencies on a store that is already open. `sharedMs`: how long requests share what one of them has read. */
export function readDepsOf(
	{ log, metrics, store }: Pick<ReturnType<typeof openStoreDeps>, 'log' | 'metrics' | 'store'>,
	sharedMs: number,
): ReadHandlerDeps {
	const timeSeries = shareReads(openTimeSeries(metrics), sharedMs);
	return { log, now: Date.now, store, definitions: createDefinitionCache(store), timeSeries };
}
