import { createInfluxSampleReader } from '#adapters/influx/influx-sample-reader.ts';
import { instrumentedSampleReader } from '#adapters/instrumented.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { openAlarmDeps } from '#wiring/alarm-deps.ts';
import { openInflux, timeForInfluxMs } from '#wiring/influx.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { createHandler } from './handler.ts';

// The tables leave InfluxDB its time of a request.
const { log, metrics, store, alarms } = openAlarmDeps(timeForInfluxMs());

const samples = instrumentedSampleReader(createInfluxSampleReader(openInflux()), metrics);

const deps = { log, now: Date.now, store, definitions: createDefinitionCache(store), samples, alarms };

export const handler = withLambdaDeadline(createHandler(deps));
