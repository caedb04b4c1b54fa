import { afterAll, beforeAll, describe, inject } from 'vitest';
import type { InfluxqlConnectionOptions } from '#adapters/influxql/influxql-connection.ts';
import { staticSecret } from '#adapters/secret.ts';
import { sampleReaderContract } from '#test/contract/sample-reader.ts';
import { spanReaderContract } from '#test/contract/span-reader.ts';
import { timeSeriesContract } from '#test/contract/time-series.ts';
import { topicCatalogContract } from '#test/contract/topic-catalog.ts';
import { casesOf } from '#test/support/cases.ts';
import { contractDeadlineMs, openForContract, readingByTopic } from '#test/support/servers/influx.ts';
import { influxdb3Token, startInfluxdb3 } from '#test/support/servers/influxdb3.ts';
import { influxqlTarget } from '#test/support/servers/influxql.ts';
import { openInfluxqlAt } from '#test/support/servers/open-influx.ts';

const server = 'influxd1';
const topicTag = { key: 'topic', measurement: 'mqtt_consumer' };
const absentDatabase = 'fault';
const carriageReturns = 'unlisted';

describe.skipIf(inject(server) === null)('InfluxQL on a stand-in for InfluxDB 3', () => {
	let standIn: Awaited<ReturnType<typeof startInfluxdb3>>;
	beforeAll(async () => {
		standIn = await startInfluxdb3(influxqlTarget(server).access);
	});
	afterAll(() => standIn.close());
	const open = async (options: Partial<InfluxqlConnectionOptions> = {}) =>
		openForContract(
			openInfluxqlAt({
				url: standIn.url,
				user: 'any',
				token: staticSecret(influxdb3Token),
				topicColumn: '_measurement',
				deadlineMs: contractDeadlineMs,
				...options,
			}),
			influxqlTarget(server).databases,
		);
	timeSeriesContract('InfluxDB 3', open, { runs: casesOf(10), absentDatabase });
	spanReaderContract('InfluxDB 3', open, { runs: casesOf(10), absentDatabase });
	sampleReaderContract('InfluxDB 3', open, { absentDatabase });
	topicCatalogContract('InfluxDB 3', open, { absentDatabase, carriageReturns });
	const openByTopic = async () => readingByTopic(await open({ topicColumn: 'topic', measurement: 'mqtt_consumer' }));
	timeSeriesContract('InfluxDB 3, the topic being a tag', openByTopic, { runs: casesOf(3), topicTag, absentDatabase });
	spanReaderContract('InfluxDB 3, the topic being a tag', openByTopic, { runs: casesOf(3), topicTag, absentDatabase });
	sampleReaderContract('InfluxDB 3, the topic being a tag', openByTopic, { topicTag, absentDatabase });
	for (const measurement of ['mqtt_consumer', undefined])
		topicCatalogContract(
			`InfluxDB 3, the topic being a tag of ${measurement ?? 'any measurement'}`,
			() => open({ topicColumn: 'topic', measurement }),
			{ topicTag, absentDatabase, carriageReturns },
		);
});
