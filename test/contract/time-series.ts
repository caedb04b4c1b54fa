import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { SeriesKey, SeriesResult, TimeSeries } from '#domain/ports/time-series.ts';
import type { Duration } from '#domain/variable/duration.ts';
import { type AbsentDatabase, type Ask, sampleRules, type Told } from './sample-rules.ts';
import { day, feed, history, hour, newest, type OpenTimeSeries, type TopicTag, trailing } from './time-series/feed.ts';
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
	readonly absentDatabase?: AbsentDatabase;
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
		sampleRules(
			adapter,
			waysOf(() => opened.timeSeries),
			{ absentDatabase, newestOnly: ['newest'] },
		);
		newestCases(adapter);
		historyCases(adapter);
		trailingCases(adapter);
		randomCases(adapter, runs, readings);
	});
};

/** The length of the windows, of which the newest one tells. */
const periodOf = (lookback: Duration): Duration => (lookback.ms > day.ms ? day : hour);

type KeyOf = (topic: string, lookback: Duration) => SeriesKey;

const keysOf: Readonly<Record<string, KeyOf>> = {
	newest,
	'a history of last values': (topic, lookback) => history(topic, lookback, periodOf(lookback), 'last'),
	'a history of means': (topic, lookback) => history(topic, lookback, periodOf(lookback), 'mean'),
	'a trailing last value': (topic, lookback) => trailing(topic, lookback, periodOf(lookback), 'last'),
	'a trailing mean': (topic, lookback) => trailing(topic, lookback, periodOf(lookback), 'mean'),
};

/** Each kind of read in calls of its own, and all of them in one call, of which the last one tells. */
const waysOf = (timeSeries: () => TimeSeries): Readonly<Record<string, Ask>> => {
	const by =
		(kinds: readonly KeyOf[]): Ask =>
		async (database, questions, to) => {
			const keys = questions.flatMap(({ topic, field, from }) =>
				kinds.map((keyOf) => ({ ...keyOf(topic, { ms: to - from }), field })),
			);
			const told = (await timeSeries().read(database, keys, to)).map(toldOf);
			expect(told).toHaveLength(keys.length);
			return told.filter((_, index) => index % kinds.length === kinds.length - 1);
		};
	const kinds = Object.entries(keysOf).map(([way, keyOf]) => [way, by([keyOf])] as const);
	return { ...Object.fromEntries(kinds), 'all kinds at once': by(Object.values(keysOf)) };
};

const toldOf = (result: SeriesResult): Told => {
	if ('fault' in result) return result.fault;
	const last = result.times.length - 1;
	return result.faults.get(last) ?? result.values[last] ?? null;
};
