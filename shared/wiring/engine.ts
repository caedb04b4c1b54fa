import { type InfluxConnection, type InfluxConnectionOptions, openInfluxConnection } from '#adapters/influx/influx-connection.ts';
import { createInfluxSampleReader } from '#adapters/influx/influx-sample-reader.ts';
import { createInfluxSpanReader } from '#adapters/influx/influx-span-reader.ts';
import { createInfluxTimeSeries } from '#adapters/influx/influx-time-series.ts';
import { createInfluxTopicCatalog } from '#adapters/influx/influx-topic-catalog.ts';
import { type InfluxqlConnection, openInfluxqlConnection } from '#adapters/influxql/influxql-connection.ts';
import { createInfluxqlSampleReader } from '#adapters/influxql/influxql-sample-reader.ts';
import { createInfluxqlSpanReader } from '#adapters/influxql/influxql-span-reader.ts';
import { createInfluxqlTimeSeries } from '#adapters/influxql/influxql-time-series.ts';
import { createInfluxqlTopicCatalog } from '#adapters/influxql/influxql-topic-catalog.ts';
import type { SampleReader } from '#domain/ports/sample-reader.ts';
import type { SpanReader } from '#domain/ports/span-reader.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';
import type { TopicCatalog } from '#domain/ports/topic-catalog.ts';

/*
 * The one door to the engines that hold the series. Nothing else but their own folders, their settings and their tests names them. Each reader
 * has a function of its own, so that the bundle of a Lambda function holds only those that it calls.
 */

/** An engine that is open, in the language of the settings. */
export type Engine = { close(): void } & (
	| { readonly language: 'flux'; readonly connection: InfluxConnection }
	| { readonly language: 'influxql'; readonly connection: InfluxqlConnection }
);

/** Where an engine is, how it is asked, and the limits of its reads. */
export interface EngineOptions extends Omit<InfluxConnectionOptions, 'org'> {
	readonly language: Engine['language'];
	/** The organization of the buckets; only Flux needs it. */
	readonly org: string | undefined;
	/** The user whose password is the secret; only InfluxQL has one. */
	readonly user: string;
}

/** Opens an engine. It connects with the first query. */
export function openEngine({ language, org = '', user, ...options }: EngineOptions): Engine {
	if (language === 'flux') {
		const connection = openInfluxConnection({ ...options, org });
		return { language, connection, close: connection.close };
	}
	const connection = openInfluxqlConnection({ ...options, user });
	return { language, connection, close: connection.close };
}

/** Reads the newest values and the windows of many series. */
export function timeSeriesOn(engine: Engine): TimeSeries {
	return engine.language === 'flux' ? createInfluxTimeSeries(engine.connection) : createInfluxqlTimeSeries(engine.connection);
}

/** Reads aggregates of one range. */
export function spansOn(engine: Engine): SpanReader {
	return engine.language === 'flux' ? createInfluxSpanReader(engine.connection) : createInfluxqlSpanReader(engine.connection);
}

/** Reads samples in the order of their times. */
export function samplesOn(engine: Engine): SampleReader {
	return engine.language === 'flux' ? createInfluxSampleReader(engine.connection) : createInfluxqlSampleReader(engine.connection);
}

/** Lists topics and fields. */
export function topicsOn(engine: Engine): TopicCatalog {
	return engine.language === 'flux' ? createInfluxTopicCatalog(engine.connection) : createInfluxqlTopicCatalog(engine.connection);
}
