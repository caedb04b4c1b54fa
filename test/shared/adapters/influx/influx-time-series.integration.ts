import type { OpenTimeSeries } from '#test/contract/time-series/feed.ts';
import { timeSeriesContract } from '#test/contract/time-series.ts';
import { describeInflux, openByTopic, openForContract } from '#test/support/servers/influx.ts';

/** Reads everything twice and answers the second: by then the types are known, and means are read as their type allows. */
const readTwice = async (): Promise<OpenTimeSeries> => {
	const opened = await openForContract({ gzip: false });
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
describeInflux('the contract', () => {
	timeSeriesContract('InfluxDB, types not known yet', () => openForContract(), { runs: 450, absentDatabase: 'fault' });
	timeSeriesContract('InfluxDB, types known', readTwice, { runs: 450, absentDatabase: 'fault' });
	timeSeriesContract(
		'InfluxDB, the topic being a tag',
		() => openByTopic({ topicColumn: 'topic', measurement: 'mqtt_consumer' }),
		{ runs: 60, topicTag: { key: 'topic', measurement: 'mqtt_consumer' }, absentDatabase: 'fault' },
	);
});
