import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openSeries, openSpans, openTimeSeries, timeForSeriesMs } from '#wiring/series.ts';
import { openWriteDeps } from '#wiring/write-deps.ts';
import { createHandler } from './handler.ts';

// The tables leave InfluxDB its time of a request.
const writing = openWriteDeps(timeForSeriesMs());

// Only dry runs read values.
const engines = openSeries();
const timeSeries = openTimeSeries(writing.metrics, engines);
const spans = openSpans(writing.metrics, engines);

export const handler = withLambdaDeadline(createHandler({ ...writing, timeSeries, spans }));
