import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { shareReads } from '#domain/reading/shared-reads.ts';
import type { AlarmOperationHandlerDeps, ReadHandlerDeps } from '#http/handler-deps.ts';
import { influxFunctionSchema, readConfig } from '#shared/config.ts';
import { openAlarmDeps, openAlarmWriteDeps, openStoreDeps } from './store-deps.ts';
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

/** Opens the dependencies of a handler that operates alarms, and answers with their values. */
export function openAlarmOperationDeps(): AlarmOperationHandlerDeps {
	const config = readConfig(influxFunctionSchema);
	const deps = openAlarmWriteDeps(config.INFLUX_TIMEOUT_MS);
	return { ...deps, ...readDepsOf(deps, config.READINGS_SHARED_MS) };
}

function readDepsOf({ log, metrics, store }: ReturnType<typeof openStoreDeps>, sharedMs: number): ReadHandlerDeps {
	const timeSeries = shareReads(openTimeSeries(metrics), sharedMs);
	return { log, now: Date.now, store, definitions: createDefinitionCache(store), timeSeries };
}
