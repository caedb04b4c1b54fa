import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openSamples, timeForSeriesMs } from '#wiring/series.ts';
import { openWriteDeps } from '#wiring/write-deps.ts';
import { createHandler } from './handler.ts';

// A dry run counts days from samples. The tables leave InfluxDB the time for that.
const writing = openWriteDeps(timeForSeriesMs());

const samples = openSamples(writing.metrics);

const deps = { ...writing, definitions: createDefinitionCache(writing.store), samples };

export const handler = withLambdaDeadline(createHandler(deps));
