import { describe, inject } from 'vitest';
import { tagsContract } from '#test/contract/tags.ts';
import { casesOf } from '#test/support/cases.ts';
import { influxd, openInfluxForContract } from '#test/support/servers/influx.ts';
import { influxdVersion, newestInfluxdVersion } from '#test/support/servers/influxd-build.ts';

const servers = [
	['influxd', influxdVersion],
	['newestInfluxd', newestInfluxdVersion],
] as const;

for (const [server, version] of servers)
	describe.skipIf(inject(server) === null)(`Flux on influxd ${version}`, () => {
		tagsContract('InfluxDB', () => openInfluxForContract({}, influxd(server)), { runs: casesOf(12) });
		tagsContract('InfluxDB, the topic being a tag', () => openInfluxForContract({ topicColumn: 'topic' }, influxd(server)), {
			runs: casesOf(8),
			topicTag: { key: 'topic', measurement: 'mqtt_consumer' },
		});
	});
