import { describe, inject } from 'vitest';
import { sampleReaderContract } from '#test/contract/sample-reader.ts';
import { spanReaderContract } from '#test/contract/span-reader.ts';
import { tagsContract } from '#test/contract/tags.ts';
import { timeSeriesContract } from '#test/contract/time-series.ts';
import { topicCatalogContract } from '#test/contract/topic-catalog.ts';
import { casesOf } from '#test/support/cases.ts';
import { readingByTopic } from '#test/support/servers/influx.ts';
import { influxqlServers, openInfluxqlForContract } from '#test/support/servers/influxql.ts';

const topicTag = { key: 'topic', measurement: 'mqtt_consumer' };
const absentDatabase = 'fault';
const carriageReturns = 'unlisted';

for (const [server, version] of influxqlServers)
	describe.skipIf(inject(server) === null)(`InfluxQL on influxd ${version}`, () => {
		const open = () => openInfluxqlForContract(server);
		timeSeriesContract('InfluxQL', open, { runs: casesOf(20), absentDatabase });
		spanReaderContract('InfluxQL', open, { runs: casesOf(15), absentDatabase });
		sampleReaderContract('InfluxQL', open, { absentDatabase });
		topicCatalogContract('InfluxQL', open, { absentDatabase, carriageReturns });
		tagsContract('InfluxQL', open, { runs: casesOf(12) });
		// The other place of topics is proven on the first server only.
		if (server !== 'influxd1') return;
		const openByTopic = async () =>
			readingByTopic(await openInfluxqlForContract(server, { topicColumn: 'topic', measurement: 'mqtt_consumer' }));
		timeSeriesContract('InfluxQL, the topic being a tag', openByTopic, { runs: casesOf(5), topicTag, absentDatabase });
		spanReaderContract('InfluxQL, the topic being a tag', openByTopic, { runs: casesOf(5), topicTag, absentDatabase });
		sampleReaderContract('InfluxQL, the topic being a tag', openByTopic, { topicTag, absentDatabase });
		tagsContract('InfluxQL, the topic being a tag', () => openInfluxqlForContract(server, { topicColumn: 'topic' }), {
			runs: casesOf(8),
			topicTag,
		});
		for (const measurement of ['mqtt_consumer', undefined])
			topicCatalogContract(
				`InfluxQL, the topic being a tag of ${measurement ?? 'any measurement'}`,
				() => openInfluxqlForContract(server, { topicColumn: 'topic', measurement }),
				{ topicTag, absentDatabase, carriageReturns },
			);
	});
