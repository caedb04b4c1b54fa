import { type InfluxConnectionOptions, openInfluxConnection } from '#adapters/influx/influx-connection.ts';
import { createInfluxSampleReader } from '#adapters/influx/influx-sample-reader.ts';
import { createInfluxSpanReader } from '#adapters/influx/influx-span-reader.ts';
import { createInfluxTimeSeries } from '#adapters/influx/influx-time-series.ts';
import { createInfluxTopicCatalog } from '#adapters/influx/influx-topic-catalog.ts';
import { type InfluxqlConnectionOptions, openInfluxqlConnection } from '#adapters/influxql/influxql-connection.ts';
import { createInfluxqlSampleReader } from '#adapters/influxql/influxql-sample-reader.ts';
import { createInfluxqlSpanReader } from '#adapters/influxql/influxql-span-reader.ts';
import { createInfluxqlTimeSeries } from '#adapters/influxql/influxql-time-series.ts';
import { createInfluxqlTopicCatalog } from '#adapters/influxql/influxql-topic-catalog.ts';
import type { SampleReader } from '#domain/ports/sample-reader.ts';
import type { SpanReader } from '#domain/ports/span-reader.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';
import type { TopicCatalog } from '#domain/ports/topic-catalog.ts';

/** The adapters of one InfluxDB with the function that closes their connections. */
export interface InfluxTimeSeries extends TimeSeries, SpanReader, SampleReader, TopicCatalog {
	close(): void;
}

/** Opens the adapters on an InfluxDB. Imports no test framework, because benchmarks use it too. */
export function openInfluxAt(options: InfluxConnectionOptions): InfluxTimeSeries {
	const connection = openInfluxConnection(options);
	return {
		...createInfluxTimeSeries(connection),
		...createInfluxSpanReader(connection),
		...createInfluxSampleReader(connection),
		...createInfluxTopicCatalog(connection),
		close: connection.close,
	};
}

/** Opens the adapters on an InfluxDB that is read by InfluxQL. */
export function openInfluxqlAt(options: InfluxqlConnectionOptions): InfluxTimeSeries {
	const connection = openInfluxqlConnection(options);
	return {
		...createInfluxqlTimeSeries(connection),
		...createInfluxqlSpanReader(connection),
		...createInfluxqlSampleReader(connection),
		...createInfluxqlTopicCatalog(connection),
		close: connection.close,
	};
}
