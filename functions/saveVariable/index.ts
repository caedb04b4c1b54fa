import { openTimeSeries } from '#wiring/time-series.ts';
import { openWriting } from '#wiring/write-deps.ts';
import { createHandler } from './handler.ts';

const writing = openWriting();

export const handler = createHandler({ ...writing, timeSeries: openTimeSeries(writing.metrics) });
