import { unshared } from '#domain/reading/shared-reads.ts';
import { influxFunctionSchema, readConfig } from '#shared/config.ts';
import { withRequestTime } from '#wiring/request-time.ts';
import { openTimeSeries } from '#wiring/time-series.ts';
import { openWriteDeps } from '#wiring/write-deps.ts';
import { createHandler } from './handler.ts';

const writing = openWriteDeps(readConfig(influxFunctionSchema).INFLUX_TIMEOUT_MS);

export const handler = withRequestTime(createHandler({ ...writing, timeSeries: unshared(openTimeSeries(writing.metrics)) }));
