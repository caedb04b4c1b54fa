import { createSecretsManagerSecret } from '#adapters/aws/secrets-manager-secret.ts';
import { type InfluxConnection, openInfluxConnection } from '#adapters/influx/influx-connection.ts';
import { influxFunctionSchema, readConfig } from '#shared/config.ts';
import { timeLeftMs } from './request-time.ts';

/** Returns how long InfluxDB may take in a request, in milliseconds: the time that the tables of the request leave for it. */
export function timeForInfluxMs(): number {
	return readConfig(influxFunctionSchema).INFLUX_TIMEOUT_MS;
}

/**
 * Opens a connection to the InfluxDB that the environment of a function on AWS names.
 * @param hasBreaker whether reads are refused while InfluxDB does not answer (`InfluxConnectionOptions`)
 */
export function openInflux({ hasBreaker = true } = {}): InfluxConnection {
	const config = readConfig(influxFunctionSchema);
	const token = createSecretsManagerSecret({ secretId: config.INFLUX_TOKEN_SECRET });
	// Fetches the token right after the function has loaded. A failure is reported to the first request that needs the token.
	setImmediate(() => token.value().catch(() => undefined));
	return openInfluxConnection({
		url: config.INFLUX_URL,
		token,
		org: config.INFLUX_ORG,
		topicColumn: config.TSDB_TOPIC_COLUMN,
		...(config.TSDB_MEASUREMENT === undefined ? {} : { measurement: config.TSDB_MEASUREMENT }),
		gzip: config.INFLUX_GZIP === 'on',
		deadlineMs: config.INFLUX_TIMEOUT_MS,
		timeLeftMs,
		hasBreaker,
	});
}
