import { openAlarmWriteDeps } from '#wiring/alarm-deps.ts';
import { timeForInfluxMs } from '#wiring/influx.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openTimeSeries } from '#wiring/time-series.ts';
import { createHandler } from './handler.ts';

const writing = openAlarmWriteDeps(timeForInfluxMs());

export const handler = withLambdaDeadline(createHandler({ ...writing, timeSeries: openTimeSeries(writing.metrics) }));
