import { afterAll, beforeAll, describe } from 'vitest';
import { batchCases } from './time-series/batch-cases.ts';
import { feed, type OpenTimeSeries, type TopicTag } from './time-series/feed.ts';
import { historyCases } from './time-series/history-cases.ts';
import { newestCases } from './time-series/newest-cases.ts';
import { randomCases } from './time-series/random.ts';
import { trailingCases } from './time-series/trailing-cases.ts';

export interface TimeSeriesContractOptions {
	/** Runs of the property test. */
	readonly runs?: number;
	/** Which tag carries the topic, and the measurement read; left out, the measurement is the topic. */
	readonly topicTag?: TopicTag;
	/** What reading a database that does not exist is; default: empty. */
	readonly absentDatabase?: 'empty' | 'fault';
}

/**
 * What every adapter of `TimeSeries` must do, and InfluxDB can: fed by line protocol, with types that change only between
 * weeks, as an InfluxDB shard holds one type of a field.
 */
export const timeSeriesContract = (
	name: string,
	open: () => Promise<OpenTimeSeries>,
	{ runs = 1000, topicTag, absentDatabase = 'empty' }: TimeSeriesContractOptions = {},
): void => {
	describe(`TimeSeries: ${name}`, () => {
		let opened: OpenTimeSeries;
		beforeAll(async () => {
			opened = await open();
		});
		afterAll(() => opened.close());

		const fed = feed(() => opened, topicTag);
		newestCases(fed, absentDatabase);
		historyCases(fed);
		trailingCases(fed);
		batchCases(fed);
		randomCases(fed, runs);
	});
};
