import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { shareReads } from '#domain/reading/shared-reads.ts';
import type { ReadHandlerDeps } from '#http/handler-deps.ts';
import { influxFunctionSchema, readConfig } from '#shared/config.ts';
import { openAlarmDeps, openStoreDeps } from './store-deps.ts';
import { openTimeSeries } from './time-series.ts';

/** Opens the dependencies of a handler that reads time series. The definitions and shared reads live as long as the function's process. */
export function openReadDeps(): ReadHandlerDeps {
	const config = readConfig(influxFunctionSchema);
	return readDepsOf(openStoreDeps(config.INFLUX_TIMEOUT_MS), config.READINGS_SHARED_MS);
}

/** Opens the same, and the store of alarms. */
export function openAlarmReadDeps() {
	const config = readConfig(influxFunctionSchema);
	const { alarms, ...deps } = openAlarmDeps(config.INFLUX_TIMEOUT_MS);
	return { ...readDepsOf(deps, config.READINGS_SHARED_MS), alarms };
}

function readDepsOf({ log, metrics, store }: ReturnType<typeof openStoreDeps>, sharedMs: number): ReadHandlerDeps {
	const timeSeries = shareReads(openTimeSeries(metrics), sharedMs);
	return { log, now: Date.now, store, definitions: createDefinitionCache(store), timeSeries };
}
