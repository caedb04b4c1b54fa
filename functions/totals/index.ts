import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { openAlarmDeps } from '#wiring/alarm-deps.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openSamples, timeForSeriesMs } from '#wiring/series.ts';
import { createHandler } from './handler.ts';

// The tables leave InfluxDB its time of a request.
const { log, metrics, store, alarms } = openAlarmDeps(timeForSeriesMs());

const samples = openSamples(metrics);

const deps = { log, now: Date.now, store, definitions: createDefinitionCache(store), samples, alarms };

export const handler = withLambdaDeadline(createHandler(deps));
