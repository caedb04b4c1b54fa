import { influxFunctionSchema, readConfig } from '#shared/config.ts';
import { openAlarmWriteDeps } from '#wiring/alarm-deps.ts';
import { withRequestTime } from '#wiring/request-time.ts';
import { openTimeSeries } from '#wiring/time-series.ts';
import { createHandler } from './handler.ts';

const writing = openAlarmWriteDeps(readConfig(influxFunctionSchema).INFLUX_TIMEOUT_MS);

export const handler = withRequestTime(createHandler({ ...writing, timeSeries: openTimeSeries(writing.metrics) }));
