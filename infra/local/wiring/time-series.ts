import { createInfluxTimeSeries } from '#adapters/influx/influx-time-series.ts';
import { staticSecret } from '#adapters/secret.ts';
import { createInfluxWriter } from '../adapters/influx-writer.ts';
import { openSqliteTimeSeries, type SqliteTimeSeries } from '../adapters/sqlite-time-series/sqlite-time-series.ts';
import type { LocalSettings } from './settings.ts';

/** The series of the service on one machine, with what feeds them. */
export type LocalSeries = SqliteTimeSeries;

/**
 * Opens the series: SQLite's, or with INFLUX_URL those of an InfluxDB, whose buckets have to be there and which keeps samples as
 * long as each bucket says.
 */
export async function openSeries(settings: LocalSettings, file: string): Promise<LocalSeries> {
	const { INFLUX_URL: url, INFLUX_TOKEN: token, INFLUX_ORG: org, INFLUX_TIMEOUT_MS: timeoutMs } = settings;
	const place = {
		topicColumn: settings.TSDB_TOPIC_COLUMN,
		...(settings.TSDB_MEASUREMENT === undefined ? {} : { measurement: settings.TSDB_MEASUREMENT }),
	};
	if (url === undefined || token === undefined || org === undefined) return openSqliteTimeSeries({ file, ...place });
	const series = createInfluxTimeSeries({
		url,
		token: staticSecret(token),
		org,
		...place,
		gzip: settings.INFLUX_GZIP === 'on',
		deadlineMs: timeoutMs,
	});
	return {
		read: series.read,
		write: createInfluxWriter({ url, token: staticSecret(token), org, timeoutMs }),
		sweep: async () => 0,
		close: async () => series.close(),
	};
}
