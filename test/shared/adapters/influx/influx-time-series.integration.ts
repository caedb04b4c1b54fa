import type { OpenTimeSeries } from '#test/contract/time-series/feed.ts';
import { timeSeriesContract } from '#test/contract/time-series.ts';
import { describeInflux, openInfluxByTopic, openInfluxForContract } from '#test/support/servers/influx.ts';

/** Opens an adapter that reads everything twice and returns the second result. By then the types of the series are known. */
const openReadingTwice = async (): Promise<OpenTimeSeries> => {
	const opened = await openInfluxForContract({ gzip: false });
	return {
		...opened,
		timeSeries: {
			read: async (database, keys, now) => {
				await opened.timeSeries.read(database, keys, now);
				return opened.timeSeries.read(database, keys, now);
			},
		},
	};
};

// Each run reads up to five series: over 2,000 random queries of every kind.
describeInflux('createInfluxTimeSeries', () => {
	timeSeriesContract('InfluxDB, types not known yet', () => openInfluxForContract(), { runs: 450, absentDatabase: 'fault' });
	timeSeriesContract('InfluxDB, types known', openReadingTwice, { runs: 450, absentDatabase: 'fault' });
	timeSeriesContract(
		'InfluxDB, the topic being a tag',
		() => openInfluxByTopic({ topicColumn: 'topic', measurement: 'mqtt_consumer' }),
		{ runs: 60, topicTag: { key: 'topic', measurement: 'mqtt_consumer' }, absentDatabase: 'fault' },
	);
});
