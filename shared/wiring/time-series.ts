import { createSecretsManagerSecret } from '#adapters/aws/secrets-manager-secret.ts';
import { createInfluxTimeSeries } from '#adapters/influx/influx-time-series.ts';
import { instrumentedTimeSeries } from '#adapters/instrumented.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';
import { influxSchema, influxSecretSchema, readConfig, seriesSchema } from '#shared/config.ts';

/** The InfluxDB of a function that its environment names. */
export function openTimeSeries(metrics: Metrics): TimeSeries {
	const influx = readConfig(influxSchema);
	const series = readConfig(seriesSchema);
	const token = createSecretsManagerSecret({ secretId: readConfig(influxSecretSchema).INFLUX_TOKEN_SECRET });
	// Read as soon as the function has loaded; the first request joins it, and hears of a failure.
	setImmediate(() => token.value().catch(() => undefined));
	return instrumentedTimeSeries(
		createInfluxTimeSeries({
			url: influx.INFLUX_URL,
			token,
			org: influx.INFLUX_ORG,
			topicColumn: series.TSDB_TOPIC_COLUMN,
			...(series.TSDB_MEASUREMENT === undefined ? {} : { measurement: series.TSDB_MEASUREMENT }),
			gzip: influx.INFLUX_GZIP === 'on',
			deadlineMs: influx.INFLUX_TIMEOUT_MS,
		}),
		metrics,
	);
}
