import { createSecretsManagerSecret } from '#adapters/aws/secrets-manager-secret.ts';
import { openInfluxConnection } from '#adapters/influx/influx-connection.ts';
import { createInfluxTimeSeries } from '#adapters/influx/influx-time-series.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { openState } from '#infra/local/wiring/state.ts';
import { openSeries } from '#infra/local/wiring/time-series.ts';
import { ConfigError } from '#shared/config.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { settingsOf } from './deployed-settings.ts';

/**
 * Opens the time series of an environment on AWS, or of this machine (undefined), runs `work` on them and closes them.
 * @throws ConfigError when cdk.json has no such environment, or STATE_DIR cannot be used
 */
export async function withTimeSeries<Result>(
	environment: string | undefined,
	work: (timeSeries: TimeSeries) => Promise<Result>,
): Promise<Result> {
	if (environment === undefined) return withLocalTimeSeries(work);
	const settings = settingsOf(environment);
	if (settings === undefined) throw new ConfigError(`cdk.json has no environment ${environment}.`);
	const { influxUrl: url, influxOrg: org, influxGzip, influxTimeoutMs: deadlineMs, topicColumn, measurement } = settings;
	const connection = openInfluxConnection({
		url,
		token: createSecretsManagerSecret({ secretId: resourceNames(environment).secrets.influxToken }),
		org,
		topicColumn,
		...(measurement === undefined ? {} : { measurement }),
		gzip: influxGzip === 'on',
		deadlineMs,
	});
	return work(createInfluxTimeSeries(connection)).finally(() => connection.close());
}

async function withLocalTimeSeries<Result>(work: (timeSeries: TimeSeries) => Promise<Result>): Promise<Result> {
	const settings = readLocalSettings();
	const state = await openState(settings.STATE_DIR, false);
	try {
		const series = await openSeries(settings, state.seriesFile);
		return await work(series).finally(series.close);
	} finally {
		state.close();
	}
}
