import { influxFunctionSchema, readConfig } from '#shared/config.ts';
import { openOwnAuthorization } from '#wiring/own-authorization.ts';
import { readDepsOf } from '#wiring/read-deps.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openSpans, timeForSeriesMs } from '#wiring/series.ts';
import { openTables } from '#wiring/store-deps.ts';
import { createHandler } from './handler.ts';

/** The version in package.json. The bundler writes it in place of this name (infra/aws/bundle.ts). */
declare const serviceVersion: string;

// The tables leave InfluxDB its time of a request.
const { deps, dynamo } = openTables(timeForSeriesMs());

const read = readDepsOf(deps, readConfig(influxFunctionSchema).READINGS_SHARED_MS);

const adapters = { spans: openSpans(deps.metrics), authorization: openOwnAuthorization(deps.log, dynamo) };

export const handler = withLambdaDeadline(createHandler({ ...read, ...adapters, version: serviceVersion }));
