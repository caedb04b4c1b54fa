import { staticSecret } from '#adapters/secret.ts';
import { dayMs } from '#domain/milliseconds.ts';
import { openEngines, samplesOn, spansOn, timeSeriesOn, topicsOn } from '#wiring/engine.ts';
import { createInfluxBuckets, createInfluxWriter } from '../adapters/influx-writer.ts';
import { shardMsOf } from '../adapters/sqlite-time-series/field-types.ts';
import { openSqliteTimeSeries, type SqliteTimeSeries } from '../adapters/sqlite-time-series/sqlite-time-series.ts';
import { openSeriesTables } from '../adapters/sqlite-time-series/tables.ts';
import type { LocalSettings } from './settings.ts';
import { openFiles } from './state.ts';

/**
 * Opens the time series: in SQLite, or in InfluxDB if INFLUX_URL is set. The buckets of InfluxDB must exist, and their own
 * retention applies: `sweep` deletes nothing. Samples are written and buckets are found by the API of InfluxDB 2, which InfluxDB 1 has not:
 * there the service only reads.
 * @param file the database file of SQLite
 * @throws ConfigError when the file cannot be used
 */
export async function openLocalSeries(settings: LocalSettings, file: string): Promise<SqliteTimeSeries> {
	const { INFLUX_URL: url, INFLUX_TOKEN: token, INFLUX_ORG: org, INFLUX_TIMEOUT_MS: timeoutMs } = settings;
	const columns = {
		topicColumn: settings.TSDB_TOPIC_COLUMN,
		...(settings.TSDB_MEASUREMENT === undefined ? {} : { measurement: settings.TSDB_MEASUREMENT }),
	};
	if (url === undefined || token === undefined) {
		// Opened and closed here first, so that the operator gets a ConfigError: an error from the worker thread arrives only as text.
		await openFiles(settings.STATE_DIR, () => openSeriesTables(file).close());
		return openFiles(settings.STATE_DIR, () =>
			openSqliteTimeSeries({ file, ...columns, shardMs: shardMsOf(settings.RETENTION_DAYS * dayMs) }),
		);
	}
	const { INFLUX_LANGUAGE: language, INFLUX_USER: user } = settings;
	const secret = { token: staticSecret(token), org: org ?? '' };
	const access = { url, ...secret };
	const gzip = settings.INFLUX_GZIP === 'on';
	const engines = openEngines({ addresses: { '': url }, ...secret, ...columns, language, user, gzip, deadlineMs: timeoutMs });
	const buckets = createInfluxBuckets({ ...access, timeoutMs });
	return {
		read: timeSeriesOn(engines).read,
		readSpans: spansOn(engines).readSpans,
		...samplesOn(engines),
		...topicsOn(engines),
		hasBucket: buckets.has,
		createBucket: buckets.create,
		...createInfluxWriter({ ...access, timeoutMs }),
		// The number of deleted samples.
		sweep: async () => 0,
		close: async () => engines.close(),
	};
}
