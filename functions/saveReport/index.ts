import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { openAlarmWriteDeps } from '#wiring/alarm-deps.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openSamples, timeForSeriesMs } from '#wiring/series.ts';
import { createHandler } from './handler.ts';

// A dry run counts the numbers of yesterday from samples and, for lines of alarms, from the journal of alarms. The tables leave
// InfluxDB the time for that.
const writing = openAlarmWriteDeps(timeForSeriesMs());

const samples = openSamples(writing.metrics);

const deps = { ...writing, definitions: createDefinitionCache(writing.store), samples };

export const handler = withLambdaDeadline(createHandler(deps));
