import { createInfluxSpanReader } from '#adapters/influx/influx-span-reader.ts';
import { instrumentedSpanReader } from '#adapters/instrumented.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { influxFunctionSchema, readConfig } from '#shared/config.ts';
import { openInflux } from '#wiring/influx.ts';
import { withRequestTime } from '#wiring/request-time.ts';
import { openStoreDeps } from '#wiring/store-deps.ts';
import { createHandler } from './handler.ts';

const { log, metrics, store } = openStoreDeps(readConfig(influxFunctionSchema).INFLUX_TIMEOUT_MS);

const spans = instrumentedSpanReader(createInfluxSpanReader(openInflux()), metrics);

export const handler = withRequestTime(createHandler({ log, now: Date.now, definitions: createDefinitionCache(store), spans }));
