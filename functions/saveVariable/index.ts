import { createInfluxSpanReader } from '#adapters/influx/influx-span-reader.ts';
import { instrumentedSpanReader } from '#adapters/instrumented.ts';
import { unshared } from '#domain/reading/shared-reads.ts';
import { openInflux, timeForInfluxMs } from '#wiring/influx.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openTimeSeries } from '#wiring/time-series.ts';
import { openWriteDeps } from '#wiring/write-deps.ts';
import { createHandler } from './handler.ts';

// The tables leave InfluxDB its time of a request.
const writing = openWriteDeps(timeForInfluxMs());

// Only dry runs read values. Each reads by itself, not together with others.
const timeSeries = unshared(openTimeSeries(writing.metrics));
const spans = instrumentedSpanReader(createInfluxSpanReader(openInflux()), writing.metrics);

export const handler = withLambdaDeadline(createHandler({ ...writing, timeSeries, spans }));
