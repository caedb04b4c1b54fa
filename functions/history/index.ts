import { createInfluxSpanReader } from '#adapters/influx/influx-span-reader.ts';
import { instrumentedSpanReader } from '#adapters/instrumented.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { openInflux, timeForInfluxMs } from '#wiring/influx.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openStoreDeps } from '#wiring/store-deps.ts';
import { createHandler } from './handler.ts';

// The tables leave InfluxDB its time of a request.
const { log, metrics, store } = openStoreDeps(timeForInfluxMs());

const spans = instrumentedSpanReader(createInfluxSpanReader(openInflux()), metrics);

const deps = { log, now: Date.now, definitions: createDefinitionCache(store), spans };

export const handler = withLambdaDeadline(createHandler(deps));
