import { openTimeSeries } from '../../shared/lambda/time-series.ts';
import { openWriting } from '../../shared/lambda/writing.ts';
import { createHandler } from './handler.ts';

const writing = openWriting();

export const handler = createHandler({ ...writing, timeSeries: openTimeSeries(writing.metrics) });
