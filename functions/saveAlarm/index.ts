import { openAlarmWriteDeps } from '#wiring/alarm-deps.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openTimeSeries, timeForSeriesMs } from '#wiring/series.ts';
import { createHandler } from './handler.ts';

const writing = openAlarmWriteDeps(timeForSeriesMs());

export const handler = withLambdaDeadline(createHandler({ ...writing, timeSeries: openTimeSeries(writing.metrics) }));
