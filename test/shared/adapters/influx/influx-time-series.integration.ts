import { describe, inject } from 'vitest';
import type { OpenTimeSeries } from '#test/contract/time-series/feed.ts';
import { timeSeriesContract } from '#test/contract/time-series.ts';
import { casesOf } from '#test/support/cases.ts';
import { influxd, openInfluxByTopic, openInfluxForContract } from '#test/support/servers/influx.ts';
import { influxdVersion, newestInfluxdVersion } from '#test/support/servers/influxd-build.ts';

/** The servers, and how many random series each takes. A series has seven queries on average, each read twice. */
const servers = [
	['influxd', influxdVersion, casesOf(60)],
	['newestInfluxd', newestInfluxdVersion, casesOf(20)],
] as const;

/** Returns an adapter that reads everything twice and returns the second result. By then the types of the series are known. */
const readingTwice = (opened: OpenTimeSeries): OpenTimeSeries => ({
	...opened,
	timeSeries: {
		read: async (database, keys, now) => {
			await opened.timeSeries.read(database, keys, now);
			return opened.timeSeries.read(database, keys, now);
		},
	},
});

for (const [server, version, runs] of servers)
	describe.skipIf(inject(server) === null)(`createInfluxTimeSeries on influxd ${version}`, () => {
		const open = () => openInfluxForContract({}, influxd(server));
		const openTwice = async () => readingTwice(await openInfluxForContract({ gzip: false }, influxd(server)));
		const openByTopic = () => openInfluxByTopic({ topicColumn: 'topic', measurement: 'mqtt_consumer' }, influxd(server));
		timeSeriesContract('InfluxDB, types not known yet', open, { runs, readings: 2, absentDatabase: 'fault' });
		// The other ways to read are proven on the first server only.
		if (server !== 'influxd') return;
		timeSeriesContract('InfluxDB, types known', openTwice, { runs: 10, absentDatabase: 'fault' });
		timeSeriesContract('InfluxDB, the topic being a tag', openByTopic, {
			runs: Math.round(runs / 5),
			topicTag: { key: 'topic', measurement: 'mqtt_consumer' },
			absentDatabase: 'fault',
		});
	});
