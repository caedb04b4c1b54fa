import { openWriteDeps } from '#wiring/store-deps.ts';
import { openTimeSeries } from '#wiring/time-series.ts';
import { createHandler } from './handler.ts';

const writing = openWriteDeps();

export const handler = createHandler({ ...writing, timeSeries: openTimeSeries(writing.metrics) });
