import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { openOwnAuthorization } from '#wiring/own-authorization.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openSpans, timeForSeriesMs } from '#wiring/series.ts';
import { openTables } from '#wiring/store-deps.ts';
import { createHandler } from './handler.ts';

// The tables leave InfluxDB its time of a request.
const { deps, dynamo } = openTables(timeForSeriesMs());

const { log, metrics, store } = deps;

const authorization = openOwnAuthorization(log, dynamo);

const spans = openSpans(metrics);

const tableDeps = { log, now: Date.now, definitions: createDefinitionCache(store), timeSeries: null, spans, authorization };

export const handler = withLambdaDeadline(createHandler(tableDeps));
