import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openSeries, openSpans, openTimeSeries, timeForSeriesMs } from '#wiring/series.ts';
import { openStoreDeps } from '#wiring/store-deps.ts';
import { createHandler } from './handler.ts';

// The tables leave InfluxDB its time of a request.
const { log, metrics, store } = openStoreDeps(timeForSeriesMs());

const engines = openSeries();
const timeSeries = openTimeSeries(metrics, engines);
const spans = openSpans(metrics, engines);

const deps = { log, now: Date.now, definitions: createDefinitionCache(store), timeSeries, spans };

export const handler = withLambdaDeadline(createHandler(deps));
