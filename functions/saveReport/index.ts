import { createInfluxSampleReader } from '#adapters/influx/influx-sample-reader.ts';
import { instrumentedSampleReader } from '#adapters/instrumented.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { influxFunctionSchema, readConfig } from '#shared/config.ts';
import { openAlarmWriteDeps } from '#wiring/alarm-deps.ts';
import { openInflux } from '#wiring/influx.ts';
import { withRequestTime } from '#wiring/request-time.ts';
import { createHandler } from './handler.ts';

// A dry run counts yesterday: samples, and the times of alarms by their journal.
const writing = openAlarmWriteDeps(readConfig(influxFunctionSchema).INFLUX_TIMEOUT_MS);

const samples = instrumentedSampleReader(createInfluxSampleReader(openInflux()), writing.metrics);

const deps = { ...writing, definitions: createDefinitionCache(writing.store), samples };

export const handler = withRequestTime(createHandler(deps));
