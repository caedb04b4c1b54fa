import { influxFunctionSchema, readConfig } from '#shared/config.ts';
import { openOwnAuthorization } from '#wiring/own-authorization.ts';
import { readDepsOf } from '#wiring/read-deps.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { timeForSeriesMs } from '#wiring/series.ts';
import { openTables } from '#wiring/store-deps.ts';
import { createHandler } from './handler.ts';

// The tables leave InfluxDB its time of a request.
const { deps, dynamo } = openTables(timeForSeriesMs());

const read = readDepsOf(deps, readConfig(influxFunctionSchema).READINGS_SHARED_MS);

export const handler = withLambdaDeadline(createHandler({ ...read, authorization: openOwnAuthorization(deps.log, dynamo) }));
