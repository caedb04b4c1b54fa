import { createInfluxSampleReader } from '#adapters/influx/influx-sample-reader.ts';
import { instrumentedSampleReader } from '#adapters/instrumented.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { openInflux, timeForInfluxMs } from '#wiring/influx.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openWriteDeps } from '#wiring/write-deps.ts';
import { createHandler } from './handler.ts';

// A dry run counts days from samples. The tables leave InfluxDB the time for that.
const writing = openWriteDeps(timeForInfluxMs());

const samples = instrumentedSampleReader(createInfluxSampleReader(openInflux()), writing.metrics);

const deps = { ...writing, definitions: createDefinitionCache(writing.store), samples };

export const handler = withLambdaDeadline(createHandler(deps));
