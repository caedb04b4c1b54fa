import { afterAll, beforeAll, describe } from 'vitest';
import { batchCases } from './time-series/batch-cases.ts';
import { feed, type OpenTimeSeries, type TopicTag } from './time-series/feed.ts';
import { historyCases } from './time-series/history-cases.ts';
import { newestCases } from './time-series/newest-cases.ts';
import { randomCases } from './time-series/random.ts';
import { trailingCases } from './time-series/trailing-cases.ts';

/** Options of the contract suite. */
export interface TimeSeriesContractOptions {
	/** Number of random series of the property test, each with seven queries on average; by default 400. */
	readonly runs?: number;
	/** How often each random query is read, by default once. An adapter that learns the types of series asks otherwise the second time. */
	readonly readings?: number;
	/** The tag that holds the topic, and the measurement; by default the measurement is the topic. */
	readonly topicTag?: TopicTag;
	/** How the adapter reads a database that does not exist; by default as empty. */
	readonly absentDatabase?: 'empty' | 'fault';
}

/**
 * Defines the tests that every adapter of `TimeSeries` must pass. Samples are written as line protocol. The type of a field changes
 * only between weeks, because an InfluxDB shard holds one type of a field.
 */
export const timeSeriesContract = (
	name: string,
	open: () => Promise<OpenTimeSeries>,
	{ runs = 400, readings, topicTag, absentDatabase = 'empty' }: TimeSeriesContractOptions = {},
): void => {
	describe(`TimeSeries: ${name}`, () => {
		let opened: OpenTimeSeries;
		beforeAll(async () => {
			opened = await open();
		});
		afterAll(() => opened.close());

		const adapter = feed(() => opened, topicTag);
		newestCases(adapter, absentDatabase);
		historyCases(adapter);
		trailingCases(adapter);
		batchCases(adapter);
		randomCases(adapter, runs, readings);
	});
};
