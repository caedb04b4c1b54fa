import { describe, inject } from 'vitest';
import { topicCatalogContract } from '#test/contract/topic-catalog.ts';
import { influxd, openInfluxForContract } from '#test/support/servers/influx.ts';
import { influxdVersion, newestInfluxdVersion } from '#test/support/servers/influxd-build.ts';

const servers = [
	['influxd', influxdVersion],
	['newestInfluxd', newestInfluxdVersion],
] as const;

for (const [server, version] of servers)
	describe.skipIf(inject(server) === null)(`createInfluxTopicCatalog on influxd ${version}`, () => {
		topicCatalogContract('InfluxDB', () => openInfluxForContract({}, influxd(server)), {
			absentDatabase: 'fault',
			carriageReturns: 'left out',
		});
		topicCatalogContract(
			'InfluxDB, the topic being a tag',
			() => openInfluxForContract({ topicColumn: 'topic', measurement: 'mqtt_consumer' }, influxd(server)),
			{ topicTag: { key: 'topic', measurement: 'mqtt_consumer' }, absentDatabase: 'fault', carriageReturns: 'left out' },
		);
		topicCatalogContract(
			'InfluxDB, the topic being a tag of any measurement',
			() => openInfluxForContract({ topicColumn: 'topic' }, influxd(server)),
			{ topicTag: { key: 'topic', measurement: 'mqtt_consumer' }, absentDatabase: 'fault', carriageReturns: 'left out' },
		);
	});
