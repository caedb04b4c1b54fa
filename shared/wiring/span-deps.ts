import { createInfluxSpanReader } from '#adapters/influx/influx-span-reader.ts';
import { instrumentedSpanReader } from '#adapters/instrumented.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import type { HistoryHandlerDeps } from '#http/handler-deps.ts';
import { influxFunctionSchema, readConfig } from '#shared/config.ts';
import { openInflux } from './influx.ts';
import { openStoreDeps } from './store-deps.ts';

/** Opens the dependencies of a handler that reads histories. The definition cache lives as long as the function's process. */
export function openSpanDeps(): HistoryHandlerDeps {
	const { log, metrics, store } = openStoreDeps(readConfig(influxFunctionSchema).INFLUX_TIMEOUT_MS);
	const spans = instrumentedSpanReader(createInfluxSpanReader(openInflux()), metrics);
	return { log, now: Date.now, definitions: createDefinitionCache(store), spans };
}
