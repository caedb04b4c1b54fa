import { describe, inject } from 'vitest';
import type { OpenSpanReader } from '#test/contract/span-reader/span-feed.ts';
import { spanReaderContract } from '#test/contract/span-reader.ts';
import { casesOf } from '#test/support/cases.ts';
import { influxd, openInfluxByTopic, openInfluxForContract } from '#test/support/servers/influx.ts';
import { influxdVersion, newestInfluxdVersion } from '#test/support/servers/influxd-build.ts';

/** The servers, and how many runs each takes. A run reads ten spans twice. */
const servers = [
	['influxd', influxdVersion, casesOf(50)],
	['newestInfluxd', newestInfluxdVersion, casesOf(15)],
] as const;

/** Returns an adapter that reads everything twice and returns the second result. By then the types of the series are known. */
const readingTwice = (opened: OpenSpanReader): OpenSpanReader => ({
	...opened,
	spanReader: {
		readSpans: async (database, keys) => {
			await opened.spanReader.readSpans(database, keys);
			return opened.spanReader.readSpans(database, keys);
		},
	},
});

for (const [server, version, runs] of servers)
	describe.skipIf(inject(server) === null)(`createInfluxSpanReader on influxd ${version}`, () => {
		const open = () => openInfluxForContract({}, influxd(server));
		const openTwice = async () => readingTwice(await openInfluxForContract({ gzip: false }, influxd(server)));
		const openByTopic = () => openInfluxByTopic({ topicColumn: 'topic', measurement: 'mqtt_consumer' }, influxd(server));
		spanReaderContract('InfluxDB, types not known yet', open, { runs, readings: 2, absentDatabase: 'fault' });
		// The other ways to read are proven on the first server only.
		if (server !== 'influxd') return;
		spanReaderContract('InfluxDB, types known', openTwice, { runs: 10, absentDatabase: 'fault' });
		spanReaderContract('InfluxDB, the topic being a tag', openByTopic, {
			runs: 10,
			topicTag: { key: 'topic', measurement: 'mqtt_consumer' },
			absentDatabase: 'fault',
		});
	});
