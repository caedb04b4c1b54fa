import { randomUUID } from 'node:crypto';
import { createSnsNotifier } from '#adapters/aws/sns-notifier.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { evaluateAlarmsSchema, readConfig } from '#shared/config.ts';
import { openAlarmDeps } from '#wiring/alarm-deps.ts';
import { timeSeriesOn } from '#wiring/engine.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openSeries, timeForSeriesMs } from '#wiring/series.ts';
import { createHandler } from './handler.ts';

/** Most schemas in the cache of definitions: when few workers run, one function evaluates all schemas of an environment. */
const maxSchemas = 1000;

const config = readConfig(evaluateAlarmsSchema);

// The tables leave InfluxDB its time of a run.
const deps = openAlarmDeps(timeForSeriesMs());

const evaluation = {
	...deps,
	definitions: createDefinitionCache(deps.store, maxSchemas),
	// Without a breaker: a few slow databases must not stop the reads of the others.
	// Its reads are not measured: those of one bad tenant, every minute, would hide how well the reads of clients work.
	timeSeries: timeSeriesOn(openSeries({ hasBreaker: false })),
	notifier: createSnsNotifier({ topicArn: config.ALARM_TOPIC_ARN }),
	settleMs: config.ALARM_SETTLE_SECONDS * 1000,
	now: Date.now,
	newId: randomUUID,
};

export const handler = withLambdaDeadline(createHandler(evaluation));
