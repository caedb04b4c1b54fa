import { createSecretsManagerSecret } from '#adapters/aws/secrets-manager-secret.ts';
import {
	instrumentedSampleReader,
	instrumentedSpanReader,
	instrumentedTimeSeries,
	instrumentedTopicCatalog,
} from '#adapters/instrumented.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { SampleReader } from '#domain/ports/sample-reader.ts';
import type { SpanReader } from '#domain/ports/span-reader.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';
import type { TopicCatalog } from '#domain/ports/topic-catalog.ts';
import { influxFunctionSchema, readConfig } from '#shared/config.ts';
import { type Engines, openEngines, samplesOn, spansOn, timeSeriesOn, topicsOn } from './engine.ts';
import { timeLeftMs } from './request-time.ts';

/** Returns how long the engine may take in a request, in milliseconds: the time that the tables of the request leave for it. */
export function timeForSeriesMs(): number {
	return readConfig(influxFunctionSchema).INFLUX_TIMEOUT_MS;
}

/**
 * Opens the engines that the environment of a function on AWS names.
 * @param hasBreaker whether reads are refused while it does not answer. Without a breaker, a few slow databases do not stop the reads of
 * the others: for a function that reads the databases of many tenants at once.
 */
export function openSeries({ hasBreaker = true } = {}): Engines {
	const config = readConfig(influxFunctionSchema);
	const token = createSecretsManagerSecret({ secretId: config.INFLUX_TOKEN_SECRET, mayBeTable: true });
	// Fetches the token right after the function has loaded. A failure is reported to the first request that needs the token.
	setImmediate(() => token.value().catch(() => undefined));
	return openEngines({
		addresses: config.INFLUX_URL,
		token,
		language: config.INFLUX_LANGUAGE,
		org: config.INFLUX_ORG,
		user: config.INFLUX_USER,
		topicColumn: config.TSDB_TOPIC_COLUMN,
		measurement: config.TSDB_MEASUREMENT,
		gzip: config.INFLUX_GZIP === 'on',
		deadlineMs: config.INFLUX_TIMEOUT_MS,
		timeLeftMs,
		hasBreaker,
	});
}

/** Opens newest values and windows. Their reads are measured. */
export function openTimeSeries(metrics: Metrics, engines = openSeries()): TimeSeries {
	return instrumentedTimeSeries(timeSeriesOn(engines), metrics);
}

/** Opens aggregates of one range. Their reads are measured. */
export function openSpans(metrics: Metrics, engines = openSeries()): SpanReader {
	return instrumentedSpanReader(spansOn(engines), metrics);
}

/** Opens samples. Their reads are measured. */
export function openSamples(metrics: Metrics, engines = openSeries()): SampleReader {
	return instrumentedSampleReader(samplesOn(engines), metrics);
}

/** Opens the names of topics. Their reads are measured. */
export function openTopics(metrics: Metrics, engines = openSeries()): TopicCatalog {
	return instrumentedTopicCatalog(topicsOn(engines), metrics);
}
