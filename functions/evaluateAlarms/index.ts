import { randomUUID } from 'node:crypto';
import { createSnsNotifier } from '#adapters/aws/sns-notifier.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { evaluateAlarmsSchema, readConfig } from '#shared/config.ts';
import { openAlarmDeps } from '#wiring/alarm-deps.ts';
import { timeForInfluxMs } from '#wiring/influx.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openUnguardedTimeSeries } from '#wiring/time-series.ts';
import { createHandler } from './handler.ts';

/** Most schemas in the cache of definitions: when few workers run, one function evaluates all schemas of an environment. */
const maxSchemas = 1000;

const config = readConfig(evaluateAlarmsSchema);

// The tables leave InfluxDB its time of a run.
const deps = openAlarmDeps(timeForInfluxMs());

const evaluation = {
	...deps,
	definitions: createDefinitionCache(deps.store, maxSchemas),
	// Without a breaker: a few slow databases must not stop the reads of the others.
	timeSeries: openUnguardedTimeSeries(),
	notifier: createSnsNotifier({ topicArn: config.ALARM_TOPIC_ARN }),
	settleMs: config.ALARM_SETTLE_SECONDS * 1000,
	now: Date.now,
	newId: randomUUID,
};

export const handler = withLambdaDeadline(createHandler(evaluation));
